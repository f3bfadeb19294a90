import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { SpillFile } from './spill-file.js';

describe('texts put aside', () => {
  let folder: string;
  let file: SpillFile;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'creator-data-spill-'));
    file = new SpillFile(folder);
  });

  afterEach(() => {
    file.close();
    rmSync(folder, { recursive: true });
  });

  it('are read back in any order, those of the file and those that are still in memory', () => {
    const texts = Array.from({ length: 3000 }, (_, number) => `${number} ${'☃é'.repeat(number % 500)}`);
    const bounds = texts.map((text) => {
      const start = file.bytes;
      file.append(text);
      return [start, file.bytes] as const;
    });
    expect(file.bytes).toBe(Buffer.byteLength(texts.join('')));
    for (const at of [2999, 0, 1500, ...texts.keys()]) {
      expect(file.read(...(bounds[at] as [number, number])).toString()).toBe(texts[at]);
    }
  });

  it('may be longer than what is written at a time', () => {
    const long = 'é'.repeat(3_000_000);
    file.append('before');
    file.append(long);
    file.append('after');
    expect(file.read(6, file.bytes - 5).toString()).toBe(long);
    expect(file.read(file.bytes - 5, file.bytes).toString()).toBe('after');
  });

  it('leave nothing behind, even if the process is killed: the file has no name', () => {
    for (let count = 0; count < 5; count += 1) file.append('x'.repeat(1_000_000));
    expect(readdirSync(folder)).toEqual([]);
  });

  it('say which folder does not take them', () => {
    const missing = new SpillFile(join(folder, 'missing'));
    missing.append('few need no file');
    expect(() => missing.append('x'.repeat(3_000_000))).toThrow(
      /^cannot put lines aside in .*missing: ENOENT.*TMPDIR sets another/,
    );
  });
});
