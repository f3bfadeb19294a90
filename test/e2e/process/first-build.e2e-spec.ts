import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ROOT } from '../../support/files/project-root.js';
import { linkedCopy } from '../../support/files/linked-copy.js';

/** Outside the project, whose packages Node would find. */
const FOLDER = mkdtempSync(join(tmpdir(), 'creator-data-first-build-'));
const SOURCES = ['src', 'migrations', 'package.json', 'tsconfig.json', 'tsconfig.build.json'];

/** Packages by folder, as in the lock file. */
const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
  readonly packages: Readonly<Record<string, { readonly dev?: boolean; readonly optional?: boolean }>>;
};

beforeAll(() => {
  for (const path of SOURCES) cpSync(join(ROOT, path), join(FOLDER, path), { recursive: true });
  for (const [path, { dev, optional }] of Object.entries(packages)) {
    // Nested packages are copied with their parent.
    if (dev || optional || !/^node_modules\/(@[^/]+\/)?[^/]+$/.test(path)) continue;
    mkdirSync(dirname(join(FOLDER, path)), { recursive: true });
    linkedCopy(join(ROOT, path), join(FOLDER, path));
  }
});
afterAll(() => rmSync(FOLDER, { recursive: true, force: true }));

it('the packages that the first start installs suffice for the build', () => {
  const compiler = join(FOLDER, 'node_modules/typescript/bin/tsc');
  const args = [compiler, '-p', join(FOLDER, 'tsconfig.build.json'), '--noEmit'];
  const { status, stdout } = spawnSync(process.execPath, args, { cwd: FOLDER, encoding: 'utf8' });
  expect([status, stdout]).toEqual([0, '']);
});
