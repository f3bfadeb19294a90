import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { ROOT } from '../files/project-root.js';
import { built } from './build.js';

/** Whether this machine can give a process a terminal: `script` of util-linux. */
export const HAS_TERMINAL = spawnSync('script', ['--version']).stdout?.toString().includes('util-linux') ?? false;

/** Runs an operator command of the built program on a terminal of its own, which shows both outputs. */
export async function onTerminal(
  args: readonly string[],
  settings: Readonly<Record<string, string>>,
  typed = '',
): Promise<{ status: number | null; shown: string }> {
  await built();
  const line = [process.execPath, join(ROOT, 'dist/bundle/cli.mjs'), ...args].map((arg) => `'${arg}'`).join(' ');
  const child = spawn('script', ['-qec', line, '/dev/null'], {
    env: { PATH: process.env.PATH, TERM: 'xterm', ...settings },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let shown = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    shown += text;
    // Typed once it is asked for: what comes earlier is lost when the question sets up the terminal.
    if (typed !== '' && shown.includes('to go on: ')) child.stdin.write(`${typed}\n`);
    if (shown.includes('to go on: ')) typed = '';
  });
  const [status] = (await once(child, 'close')) as [number | null];
  return { status, shown };
}
