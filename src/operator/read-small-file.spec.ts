import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { readSmallFile } from './read-small-file.js';

const MIB = 1024 ** 2;

describe('readSmallFile', () => {
  const folder = mkdtempSync(join(tmpdir(), 'read-small-file-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const path = (name: string) => join(folder, name);

  it('reads up to 1 MiB, also through a link', async () => {
    writeFileSync(path('largest'), 'é'.repeat(MIB / 2));
    symlinkSync('largest', path('link'));
    expect((await readSmallFile(path('link'))) === 'é'.repeat(MIB / 2)).toBe(true);
    writeFileSync(path('empty'), '');
    expect(await readSmallFile(path('empty'))).toBe('');
  });

  it('rejects a byte more', async () => {
    writeFileSync(path('large'), Buffer.alloc(MIB + 1, ' '));
    await expect(readSmallFile(path('large'))).rejects.toThrow(
      `${path('large')} is larger than 1 MiB: name a smaller file`,
    );
  });

  it('rejects a device and a pipe without opening them', async () => {
    execFileSync('mkfifo', [path('pipe')]);
    for (const each of ['/dev/zero', path('pipe')]) {
      await expect(readSmallFile(each)).rejects.toThrow(`${each} is not a regular file: name a file of at most 1 MiB`);
    }
  });

  it('names the path of a folder and of a missing file', async () => {
    await expect(readSmallFile(folder)).rejects.toMatchObject({ code: 'EISDIR', path: folder });
    await expect(readSmallFile(path('none'))).rejects.toMatchObject({ code: 'ENOENT', path: path('none') });
  });
});
