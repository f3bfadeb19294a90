import type { Command } from 'commander';
import type { Database } from '../database/database.js';
import type { Config } from '../model/config.js';
import type { Output } from './output.js';

/** What a command works with. It returns its exit status. */
export interface CommandContext {
  readonly database: Database;
  readonly dataFolder: string;
  readonly output: Output;
}

export type Work = (context: CommandContext) => Promise<number>;

/**
 * What a command needs of the database. `current`: an up-to-date schema, made if there is no database yet. `existing`: the
 * same, and an error if there is none. `any`: whatever the schema is.
 */
export type DatabaseNeed = 'current' | 'existing' | 'any';

/** How commands are run: the result is the exit status, and an error becomes one line. */
export interface RunWith {
  /** Opens the database, runs the work, and closes the database whatever happens. */
  (command: Command, work: Work, need?: DatabaseNeed): Promise<void>;
  /** Runs work that opens what it needs by itself. */
  alone(command: Command, work: (context: AloneContext) => Promise<number>): Promise<void>;
}

/** What a command without a database works with. */
export interface AloneContext {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** @throws ConfigError */
  readonly config: () => Config;
  readonly output: Output;
}
