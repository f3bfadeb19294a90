import { spawnSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import { runBuiltCommand } from '../../support/process/processes.js';

/** Completes words up to the cursor, as the script of a shell does; the last word is unfinished. */
const completed = async (...words: string[]): Promise<string[]> =>
  (await runBuiltCommand(['complete', '--', ...words])).out
    .split('\n')
    .map((line) => line.split('\t')[0] ?? '')
    .filter((word) => word !== '' && !word.startsWith(':'));

describe('completion', () => {
  it.each([
    ['bash', /complete .*creator-data/],
    ['zsh', /compdef .*creator-data/],
    ['fish', /complete .*creator-data/],
  ])('prints a script for %s', async (shell, registration) => {
    const { status, out, err } = await runBuiltCommand(['completion', shell]);
    expect([status, err]).toEqual([0, '']);
    expect(out).toMatch(registration);
    // Where the shell is installed, it must accept the script.
    expect(spawnSync(shell, ['-n'], { input: out, encoding: 'utf8' }).stderr ?? '').toBe('');
  });

  it('completes commands, subcommands, options and their values', async () => {
    expect(await completed('')).toEqual(expect.arrayContaining(['migrate', 'import', 'keys', 'usage', 'doctor']));
    expect(await completed('keys', 'ro')).toEqual(['rotate']);
    expect(await completed('usage', 'export', '--f')).toEqual(['--from', '--format']);
    expect(await completed('import', 'an')).toEqual(['analysis']);
    expect(await completed('forget', 'live')).toEqual(['live_platform']);
  });

  it('rejects an unknown shell', async () => {
    const { status, err } = await runBuiltCommand(['completion', 'tcsh']);
    expect([status, err]).toEqual([1, expect.stringMatching(/zsh, bash, fish.*see "creator-data completion --help"/)]);
  });
});
