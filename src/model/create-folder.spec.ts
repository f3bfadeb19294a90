import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createFolder } from './create-folder.js';

describe('createFolder', () => {
  let root: string;
  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), 'creator-data-folders-'));
  });
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  it('creates a folder with those above it, and takes one that is there', async () => {
    const path = join(root, 'a', 'b', 'c');
    await createFolder(path);
    await createFolder(path);
    await createFolder('/');
    await createFolder('.');
    expect(statSync(path).isDirectory()).toBe(true);
  });

  it('works when several create the same folders at once', async () => {
    const paths = Array.from({ length: 20 }, (_, nth) => join(root, 'x', 'y', String(nth % 2)));
    await Promise.all(paths.map(createFolder));
    expect(paths.every((path) => statSync(path).isDirectory())).toBe(true);
  });

  it('fails where a file is in the way', async () => {
    const file = join(root, 'file');
    writeFileSync(file, '');
    await expect(createFolder(file)).rejects.toMatchObject({ code: 'EEXIST', path: file });
    await expect(createFolder(join(file, 'a', 'b'))).rejects.toMatchObject({ code: 'ENOTDIR' });
  });

  it('fails, and ends, where the system creates none', async () => {
    for (const path of ['/proc/creator-data-test', '/proc/creator-data-test/a/b']) {
      await expect(createFolder(path)).rejects.toThrow(/^no folder can be created at \/proc\/creator-data-test$/);
    }
  });
});
