// @ts-check
// Last step of a build: bundles each program. Reading 2,300 modules one by one would take more than half of a start.
import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { NOT_BUNDLED, ROOT } from './prepare.mjs';

const COMPILED = join(ROOT, 'dist/src');

/** Worker threads are started by file name, so each needs its own file. */
const threads = readdirSync(COMPILED, { recursive: true })
  .map((file) => join(COMPILED, String(file)))
  .filter((path) => path.endsWith('.mjs') && readFileSync(path, 'utf8').includes('parentPort'));

/**
 * Replaces TypeORM's drivers for other databases by empty modules. TypeORM loads all of them at its start: 0.6 MB of code in the
 * memory of every process.
 * @type {import('esbuild').Plugin}
 */
const withoutOtherDrivers = {
  name: 'without-other-drivers',
  setup(bundling) {
    bundling.onLoad({ filter: /typeorm.driver.[\w-]+.\w+Driver\.js$/ }, ({ path }) =>
      /driver.(mysql|better-sqlite3|sqlite-abstract)\b/.test(path) ? null : { contents: '' },
    );
  },
};

await build({
  entryPoints: [...['main', 'cli', 'operator/first-run'].map((program) => join(COMPILED, `${program}.js`)), ...threads],
  outdir: join(ROOT, 'dist/bundle'),
  entryNames: '[name]',
  outExtension: { '.js': '.mjs' },
  bundle: true,
  // Keep dynamic imports in separate chunks.
  splitting: true,
  format: 'esm',
  platform: 'node',
  plugins: [withoutOtherDrivers],
  target: 'node20',
  external: [
    ...Object.keys(NOT_BUNDLED),
    // Optional packages of Nest that are not installed.
    '@nestjs/microservices',
    '@nestjs/websockets',
    '@fastify/static',
  ],
  // Bundled CommonJS packages need `require` for built-in modules.
  banner: {
    js: [
      "import { createRequire as requireOf } from 'node:module';",
      'const require = requireOf(import.meta.url);',
      'const __dirname = import.meta.dirname;',
      'const __filename = import.meta.filename;',
    ].join('\n'),
  },
  // V8 keeps source text in memory, with two bytes per character unless all is Latin-1. Without comments it is 10 MiB less.
  minifyWhitespace: true,
  lineLimit: 120,
  legalComments: 'external',
  sourcemap: true,
  sourcesContent: false,
  logLevel: 'warning',
});

// The service reads its pages from the program's folder.
cpSync(join(ROOT, 'src/server/pages/assets'), join(ROOT, 'dist/bundle/assets'), { recursive: true });
