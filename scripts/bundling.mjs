// @ts-check
// How programs are bundled: by a build, and by benchmarks that run the same code as the product.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { NOT_BUNDLED, ROOT } from './prepare.mjs';

export const COMPILED = join(ROOT, 'dist/src');

/** Worker threads are started by file name, so each needs its own file. */
export const threads = () =>
  readdirSync(COMPILED, { recursive: true })
    .map((file) => join(COMPILED, String(file)))
    .filter((path) => path.endsWith('.mjs') && readFileSync(path, 'utf8').includes('parentPort'));

/**
 * Replaces TypeORM's drivers for other databases by empty modules. TypeORM loads all of them at its start: 0.6 MB of code in the
 * memory of every process.
 * @type {import('esbuild').Plugin}
 */
export const withoutOtherDrivers = {
  name: 'without-other-drivers',
  setup(bundling) {
    bundling.onLoad({ filter: /typeorm.driver.[\w-]+.\w+Driver\.js$/ }, ({ path }) =>
      /driver.(mysql|better-sqlite3|sqlite-abstract)\b/.test(path) ? null : { contents: '' },
    );
  },
};

/** @satisfies {import('esbuild').BuildOptions} */
export const BUNDLING = {
  entryNames: '[name]',
  outExtension: { '.js': '.mjs' },
  bundle: true,
  format: 'esm',
  platform: 'node',
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
  logLevel: 'warning',
};
