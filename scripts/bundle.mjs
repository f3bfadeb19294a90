// @ts-check
// The last step of a build: each program and what it loads in a few files. Finding and reading 2,300 modules one by one
// takes half the time of a start.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { ROOT } from './prepare.mjs';

const COMPILED = join(ROOT, 'dist/src');

/**
 * Started by name at run time, from the folder of the module that starts them: here all lie in one. Other .mjs files are
 * what threads share with the rest.
 */
const threads = readdirSync(COMPILED, { recursive: true })
  .map((file) => join(COMPILED, String(file)))
  .filter((path) => path.endsWith('.mjs') && readFileSync(path, 'utf8').includes('parentPort'));

await build({
  entryPoints: [...['main', 'cli', 'operator/first-run'].map((program) => join(COMPILED, `${program}.js`)), ...threads],
  outdir: join(ROOT, 'dist/bundle'),
  entryNames: '[name]',
  outExtension: { '.js': '.mjs' },
  // Where two classes have one name, a number tells them apart, in logs too: keeping names would cost every closure.
  bundle: true,
  // What is loaded only where it is used stays in files of its own.
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  external: [
    // It has a native part.
    'better-sqlite3',
    // It is served from its folder.
    'swagger-ui-dist',
    // Parts of Nest that it does without where they are not installed.
    '@nestjs/microservices',
    '@nestjs/websockets',
    '@fastify/static',
  ],
  // Packages that are CommonJS ask for built-in modules by `require`.
  banner: {
    js: [
      "import { createRequire as requireOf } from 'node:module';",
      'const require = requireOf(import.meta.url);',
      'const __dirname = import.meta.dirname;',
      'const __filename = import.meta.filename;',
    ].join('\n'),
  },
  // V8 keeps the text of what it runs, and twice its size where one character is not Latin-1, as in many comments: without
  // them it is 10 MiB less. Lines stay short enough for a stack trace to tell something; its source map tells the rest.
  minifyWhitespace: true,
  lineLimit: 120,
  legalComments: 'external',
  sourcemap: true,
  sourcesContent: false,
  logLevel: 'warning',
});
