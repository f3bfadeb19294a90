import type { Command } from 'commander';
import type { Database } from '../database/database.js';
import type { Output } from './output.js';

/** What a command works with. It returns its exit status. */
export interface CommandContext {
  readonly database: Database;
  /** Where a process of the service keeps what the database could not take. */
  readonly dataFolder: string;
  readonly output: Output;
}

export type Work = (context: CommandContext) => Promise<number>;

/** Opens the database, runs the work, and closes the database whatever happens. */
export type RunWith = (command: Command, work: Work, schema?: 'current' | 'any') => Promise<void>;

/** Runs the work of a command that needs no database. */
export type RunAlone = (command: Command, work: (output: Output) => Promise<number>) => Promise<void>;
