import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';

const FOLDER = 'bench';
const scripts = readdirSync(FOLDER).filter(
  (name) => name.endsWith('.mjs') && readFileSync(join(FOLDER, name), 'utf8').includes(' = options('),
);

describe('the benchmarks', () => {
  it.each(scripts)('bench/%s loads all its modules and lists its options with --help', async (name) => {
    const { stdout } = await promisify(execFile)(process.execPath, [join(FOLDER, name), '--help']);
    expect(stdout).toContain('Options and their defaults:');
  });
});
