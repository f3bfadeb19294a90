import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { ROOT } from '../files/project-root.js';
import { buildOnce } from './build.js';

/** Whether this machine has `script` of util-linux, which gives a process a terminal. */
export const HAS_TERMINAL = spawnSync('script', ['--version']).stdout?.toString().includes('util-linux') ?? false;

/** Runs a command of the built program on a pseudo-terminal, which shows both outputs. */
export async function runOnTerminal(
  args: readonly string[],
  settings: Readonly<Record<string, string>>,
  typed = '',
): Promise<{ status: number | null; shown: string }> {
  await buildOnce();
  const line = [process.execPath, join(ROOT, 'dist/bundle/cli.mjs'), ...args].map((arg) => `'${arg}'`).join(' ');
  const child = spawn('script', ['-qec', line, '/dev/null'], {
    env: { PATH: process.env.PATH, TERM: 'xterm', ...settings },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let shown = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    shown += text;
    // Type only after the question is shown: setting up the terminal discards earlier input.
    if (typed !== '' && shown.includes('to continue: ')) child.stdin.write(`${typed}\n`);
    if (shown.includes('to continue: ')) typed = '';
  });
  const [status] = (await once(child, 'close')) as [number | null];
  return { status, shown };
}
