import type { Command } from 'commander';
import type { Database } from '../database/database.js';
import type { Output } from './output.js';

/** What a command works with. It returns its exit status. */
export interface CommandContext {
  readonly database: Database;
  readonly dataFolder: string;
  readonly output: Output;
}

export type Work = (context: CommandContext) => Promise<number>;

/** Adds `--json` to a command, opens the database, runs the work, and closes the database whatever happens. */
export type RunWith = (command: Command, work: Work, schema?: 'current' | 'any') => Promise<void>;
