import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ROOT } from '../../support/built.js';
import { command } from '../../support/command.js';
import { builtCommand } from '../../support/processes.js';

const NO_DATABASE = { url: 'sqlite:/dev/null/x' };

/** The commands that a help text lists. */
const commandsIn = (help: string): string[] =>
  Array.from(help.split('Commands:')[1]?.matchAll(/^ {2}([a-z]+)/gm) ?? [], ([, name]) => name ?? '');

describe('the program', () => {
  it('prints its version, which is that of the package', async () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    for (const option of ['--version', '-V']) {
      expect(await command(NO_DATABASE, option)).toEqual({ status: 0, out: `${version}\n`, err: '' });
    }
    expect((await builtCommand(['--version'])).out).toBe(`${version}\n`);
  }, 60_000);

  it('has examples in the help of every command, each of which names that very command', async () => {
    const without: string[] = [];
    const walk = async (path: readonly string[]): Promise<number> => {
      const { out } = await command(NO_DATABASE, ...path, '--help');
      const subcommands = commandsIn(out).filter((name) => name !== 'help');
      if (subcommands.length === 0) {
        const examples = Array.from(out.matchAll(/^ {2}\$ (.*)$/gm), ([, line]) => line);
        const own = examples.filter((example) => example?.includes(`creator-data ${path.join(' ')}`));
        if (own.length === 0 || own.length < examples.length) without.push(path.join(' '));
        return 1;
      }
      let found = 0;
      for (const name of subcommands) found += await walk([...path, name]);
      return found;
    };
    expect(await walk([])).toBeGreaterThan(10);
    expect(without).toEqual([]);
  });

  it('has no colours where standard output is no terminal', async () => {
    expect((await builtCommand(['--help'], { FORCE_COLOR: '1' })).out).not.toContain('\u001b');
  }, 60_000);
});
