import { createInterface } from 'node:readline/promises';
import type { Command } from 'commander';
import { OperatorError } from './operator-error.js';
import { colours, printable } from './terminal.js';

/** Options of a command that deletes. */
export interface Caution {
  readonly yes?: true;
  readonly dryRun?: true;
}

export function withCaution(command: Command): Command {
  return command
    .option('--dry-run', 'only tell what would be deleted')
    .option('--yes', 'do not ask; needed where there is no terminal');
}

/**
 * Asks on a terminal before something is lost.
 * @returns whether to go on
 * @throws OperatorError without a terminal, unless `--yes` was given
 */
export async function isConfirmed(question: string, { yes }: Caution): Promise<boolean> {
  if (yes) return true;
  if (!process.stdin.isTTY || !process.stderr.isTTY) {
    throw new OperatorError(
      'confirmation_needed',
      'this cannot be undone: see with --dry-run what would be deleted, then add --yes',
    );
  }
  const asking = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await asking.question(printable(`${colours(process.stderr).bold(question)} Type "yes" to go on: `));
    return answer.trim().toLowerCase() === 'yes';
  } finally {
    asking.close();
  }
}
