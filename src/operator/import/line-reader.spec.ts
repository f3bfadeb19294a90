import { appendFileSync, mkdtempSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { LineReader } from './line-reader.js';

const LINES = 20_000;
const LINE = `${'x'.repeat(99)}\n`;

describe('a file that is read', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'creator-data-test-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  /** Reads a file, and changes it after the first lines. @returns the number of lines */
  async function readWhile(change: (path: string) => void): Promise<number> {
    const path = join(folder, 'lines');
    writeFileSync(path, LINE.repeat(LINES));
    const reader = await LineReader.open(path);
    let lines = 0;
    for await (const some of reader.lines()) {
      if (lines === 0) change(path);
      lines += some.length;
    }
    return lines;
  }

  it.each([
    ['cut', (path: string) => truncateSync(path, (LINES / 2) * LINE.length)],
    ['extended', (path: string) => appendFileSync(path, LINE)],
  ])('is rejected if it was %s meanwhile, because lines may be missing', async (_, change) => {
    await expect(readWhile(change)).rejects.toThrow(
      `${join(folder, 'lines')}: the file was written while it was read: read it again when it is complete`,
    );
  });

  it('is read to its end if another takes its name meanwhile', async () => {
    const replace = (path: string) => {
      writeFileSync(`${path}.new`, 'another\n');
      renameSync(`${path}.new`, path);
    };
    expect(await readWhile(replace)).toBe(LINES);
  });
});
