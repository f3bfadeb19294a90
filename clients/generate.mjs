// @ts-check
// Writes the generated parts of both clients from docs/openapi.json. Usage: node clients/generate.mjs [FOLDER]
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { readOperations, typesOnly } from './generator/description.mjs';
import { pythonClient } from './generator/python-client.mjs';
import { pythonTypes } from './generator/python-types.mjs';
import { typescriptClient } from './generator/typescript-client.mjs';
import { typescriptSchema } from './generator/typescript-schema.mjs';

const HERE = dirname(fileURLToPath(import.meta.url));
const [folder = HERE] = process.argv.slice(2);

const document = typesOnly(JSON.parse(readFileSync(join(HERE, '../docs/openapi.json'), 'utf8')));
const groups = readOperations(document);

write('typescript/src/generated/schema.ts', await formatted(await typescriptSchema(document)));
write('typescript/src/generated/client.ts', await formatted(typescriptClient(groups)));
write('python/src/creator_data_client/types.py', pythonTypes(document, groups));
write('python/src/creator_data_client/client.py', pythonClient(groups));

/** @param {string} path in the folder @param {string} text */
function write(path, text) {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

/** @param {string} text TypeScript */
async function formatted(text) {
  return format(text, { ...(await resolveConfig(join(HERE, '../package.json'))), parser: 'typescript' });
}
