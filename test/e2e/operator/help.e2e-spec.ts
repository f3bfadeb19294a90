import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ROOT } from '../../support/files/project-root.js';
import { runInProcess } from '../../support/service/command.js';
import { runBuiltCommand } from '../../support/process/processes.js';

const NO_DATABASE = { url: 'sqlite:/dev/null/x' };

/** Lists the commands in a help text. */
const commandsIn = (help: string): string[] =>
  Array.from(help.split('Commands:')[1]?.matchAll(/^ {2}([a-z]+)/gm) ?? [], ([, name]) => name ?? '');

describe('the program', () => {
  it('prints the version of the package', async () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    for (const option of ['--version', '-V']) {
      expect(await runInProcess(NO_DATABASE, option)).toEqual({ status: 0, out: `${version}\n`, err: '' });
    }
    expect((await runBuiltCommand(['--version'])).out).toBe(`${version}\n`);
  });

  it('has examples in the help of every command, each naming that command', async () => {
    const helps = new Map<string, string>();
    const walk = async (path: readonly string[]): Promise<void> => {
      const { out } = await runInProcess(NO_DATABASE, ...path, '--help');
      const subcommands = commandsIn(out).filter((name) => name !== 'help');
      if (subcommands.length === 0) helps.set(path.join(' '), out);
      for (const name of subcommands) await walk([...path, name]);
    };
    await walk([]);
    expect(helps.size).toBeGreaterThan(15);
    for (const [path, help] of helps) {
      const examples = Array.from(help.matchAll(/^ {2}\$ (.*)$/gm), ([, line]) => line);
      expect([path, examples]).not.toEqual([path, []]);
      expect([path, examples.filter((example) => !example?.includes(`creator-data ${path}`))]).toEqual([path, []]);
    }
  });

  it('prints no colours when standard output is not a terminal', async () => {
    expect((await runBuiltCommand(['--help'], { FORCE_COLOR: '1' })).out).not.toContain('\u001b');
  });
});
