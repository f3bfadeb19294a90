// @ts-check
// Jest loads every module again for each test file, and these packages have 2,000 of them. As one file they load in a fraction.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** What most test files load, and what shares objects with it, such as a registry. Other packages get these versions, too: `ajv`,
 * of which they need several, is not among them. */
const COMMON = [
  '@modelcontextprotocol/sdk/server/index.js',
  '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js',
  '@modelcontextprotocol/sdk/types.js',
  '@nestjs/common',
  '@nestjs/core',
  '@nestjs/core/interceptors/interceptors-consumer.js',
  '@nestjs/platform-express',
  '@nestjs/swagger',
  '@nestjs/testing',
  '@nestjs/throttler',
  'class-transformer',
  'class-validator',
  'compression',
  'cors',
  'dataloader',
  'express',
  'helmet',
  'ioredis',
  'pino',
  'prom-client',
  'rxjs',
  'typeorm',
  'zod',
];

/** Clients of the platforms, with the `zod` that they need. Jest cannot load Twurple's modules: they read `import.meta.env`. */
const PLATFORM_CLIENTS = ['@atproto/api', '@googleapis/youtube', '@twurple/api', '@twurple/auth'];

/** Packages by the file that they are bundled into. */
const BUNDLES = { 'packages.cjs': COMMON, 'platform-clients.cjs': PLATFORM_CLIENTS };

/** Packages with files beside their code, one whose file names tell who sends a statement, and ones that are not installed. */
const EXTERNAL = [
  '@photostructure/sqlite',
  'mysql2',
  'swagger-ui-dist',
  '@fastify/static',
  '@nestjs/microservices',
  '@nestjs/websockets',
];

const fileOf = (/** @type {string} */ name) => `${name.replaceAll(/\W+/g, '-')}.cjs`;

/**
 * Bundles the packages, unless that was done for the same versions.
 * @returns {Promise<Record<string, string>>} `moduleNameMapper` of jest
 */
export async function bundlePackages() {
  const hash = createHash('sha256')
    .update(readFileSync(join(ROOT, 'package-lock.json')))
    .update(readFileSync(fileURLToPath(import.meta.url)))
    .digest('hex');
  const folder = join(ROOT, 'node_modules/.cache/creator-data-tests', hash.slice(0, 16));
  if (!existsSync(folder)) await writeBundles(folder);
  const names = Object.values(BUNDLES).flat();
  return Object.fromEntries(names.map((name) => [`^${name.replaceAll('.', '\\.')}$`, join(folder, fileOf(name))]));
}

/** Writes the bundles and a file for each package. Another run may do the same at the same time. */
async function writeBundles(/** @type {string} */ folder) {
  const unfinished = `${folder}.${process.pid}`;
  mkdirSync(unfinished, { recursive: true });
  for (const [file, packages] of Object.entries(BUNDLES)) {
    const getters = packages.map((name) => `get '${name}'() { return require('${name}'); }`);
    await build({
      stdin: { contents: `module.exports = { ${getters.join(', ')} };`, resolveDir: ROOT },
      outfile: join(unfinished, file),
      bundle: true,
      format: 'cjs',
      platform: 'node',
      target: 'node20',
      external: EXTERNAL,
      // Names of classes are part of messages and of Nest's tokens.
      keepNames: true,
      minifyWhitespace: true,
      legalComments: 'none',
      banner: { js: "const importMetaUrl = require('node:url').pathToFileURL(__filename).href;" },
      define: { 'import.meta.url': 'importMetaUrl' },
      logLevel: 'error',
    });
    for (const name of packages)
      writeFileSync(join(unfinished, fileOf(name)), `module.exports = require('./${file}')['${name}'];\n`);
  }
  if (existsSync(folder)) rmSync(unfinished, { recursive: true });
  else renameSync(unfinished, folder);
}
