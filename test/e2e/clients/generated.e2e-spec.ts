import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ROOT } from '../../support/files/project-root.js';
import { differenceOf } from '../../support/http/difference.js';

const GENERATED = [
  'python/src/creator_data_client/client.py',
  'python/src/creator_data_client/types.py',
  'typescript/src/generated/client.ts',
  'typescript/src/generated/schema.ts',
];

describe('the generated parts of the clients', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'creator-data-generated-'));
    execFileSync(process.execPath, [join(ROOT, 'clients/generate.mjs'), folder], { stdio: 'pipe' });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each(GENERATED)('%s is what the generator makes of docs/openapi.json', (path) => {
    const [committed, made] = [join(ROOT, 'clients'), folder].map((from) => readFileSync(join(from, path), 'utf8'));
    expect(differenceOf(committed, made)).toBeNull();
  });

  it('are these files', () => {
    const made = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    expect(made.map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1)).toSorted()).toEqual(
      GENERATED,
    );
  });
});

it('the clients have the version of the service, whose API they call', () => {
  const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
  const { version } = JSON.parse(read('package.json')) as { version: string };
  expect(JSON.parse(read('clients/typescript/package.json')).version).toBe(version);
  expect(read('clients/python/pyproject.toml')).toContain(`\nversion = "${version}"\n`);
});
