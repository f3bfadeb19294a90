import { createInterface } from 'node:readline/promises';
import type { Command } from 'commander';
import { OperatorError } from './operator-error.js';
import { colours, escapeLine } from './terminal.js';

/** Options of a command that deletes. */
export interface DeletionOptions {
  readonly yes?: true;
  readonly dryRun?: true;
}

/** Adds `--dry-run` and `--yes`. */
export function addDeletionOptions(command: Command): Command {
  return command
    .option('--dry-run', 'print what would be deleted, and delete nothing')
    .option('--yes', 'do not ask for confirmation; required without a terminal');
}

/**
 * Asks for confirmation on the terminal.
 * @returns whether to continue
 * @throws OperatorError if there is no terminal and `--yes` was not given
 */
export async function confirmDeletion(question: string, { yes }: DeletionOptions): Promise<boolean> {
  if (yes) return true;
  if (!process.stdin.isTTY || !process.stderr.isTTY) {
    throw new OperatorError(
      'confirmation_needed',
      'this deletes records: run it with --dry-run to see which, then with --yes',
    );
  }
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await terminal.question(
      escapeLine(`${colours(process.stderr).bold(question)} Type "yes" to continue: `),
    );
    return answer.trim().toLowerCase() === 'yes';
  } finally {
    terminal.close();
  }
}
