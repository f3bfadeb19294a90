// @ts-check
// Makes the three clients from the description, checks them and their tours under strict TypeScript, and builds the tours.
import { execFileSync } from 'node:child_process';
import { copyFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createClient } from '@hey-api/openapi-ts';
import { build } from 'esbuild';
import openapiTypescript, { astToString } from 'openapi-typescript';
import { generate } from 'orval';

const HERE = dirname(fileURLToPath(import.meta.url));
const ROOT = dirname(dirname(HERE));
const DOCUMENT = join(ROOT, 'docs/openapi.json');
const TOURS = ['openapi-fetch', 'hey-api', 'orval'];

const [folder = '', baseUrl = ''] = process.argv.slice(2);

const types = await openapiTypescript(new URL(`file://${DOCUMENT}`));
writeFileSync(join(folder, 'openapi-fetch-schema.ts'), astToString(types));
await createClient({
  input: DOCUMENT,
  output: join(folder, 'hey-api-client'),
  plugins: ['@hey-api/client-fetch', '@hey-api/sdk', '@hey-api/typescript'],
  logs: { level: 'silent' },
});
await generate({
  input: { target: DOCUMENT },
  output: { target: join(folder, 'orval-client.ts'), client: 'fetch', baseUrl },
});

for (const tour of TOURS) copyFileSync(join(HERE, `${tour}.tour.ts`), join(folder, `${tour}.tour.ts`));
const compilerOptions = {
  strict: true,
  noUncheckedIndexedAccess: true,
  noEmit: true,
  skipLibCheck: true,
  target: 'es2023',
  lib: ['es2023', 'dom', 'dom.iterable'],
  module: 'esnext',
  moduleResolution: 'bundler',
  types: ['node'],
};
writeFileSync(
  join(folder, 'tsconfig.json'),
  JSON.stringify({ compilerOptions, files: TOURS.map((tour) => `${tour}.tour.ts`) }),
);
execFileSync(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', folder], { stdio: 'inherit' });
await build({
  entryPoints: TOURS.map((tour) => join(folder, `${tour}.tour.ts`)),
  outdir: folder,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  format: 'esm',
  platform: 'node',
});
