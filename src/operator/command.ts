import type { Command } from 'commander';
import type { Database } from '../database/database.js';
import type { Audit } from './audit/audit.js';
import type { Config, DatabaseLocation } from '../model/config.js';
import type { Output } from './output.js';

/** Resources of a command that uses the database. */
export interface CommandContext {
  readonly database: Database;
  readonly location: DatabaseLocation;
  readonly dataFolder: string;
  readonly output: Output;
  /** Audit log of this run of the command. */
  readonly audit: Audit;
}

/** The body of a command. @returns the exit status */
export type CommandAction = (context: CommandContext) => Promise<number>;

/**
 * State of the database that a command requires. `current`: an up-to-date schema; a missing database is created.
 * `existing`: an up-to-date schema; a missing database is an error. `any`: any schema, or none.
 * `without-usage`: like `any`; the usage file of an embedded database may be missing, and is then created.
 */
export type DatabaseRequirement = 'current' | 'existing' | 'any' | 'without-usage';

/** Runs command bodies: keeps their exit status, and prints an error as one line. */
export interface CommandRunner {
  /** Opens the database, runs the command, and closes the database even if the command fails. */
  (command: Command, work: CommandAction, need?: DatabaseRequirement): Promise<void>;
  /** Reads the settings. @throws ConfigError */
  config(): Config;
  /** Runs a command without opening the database. */
  withoutDatabase(command: Command, work: (context: StandaloneContext) => Promise<number>): Promise<void>;
}

/** Resources of a command that does not use the database. */
export interface StandaloneContext {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** @throws ConfigError */
  readonly config: () => Config;
  readonly output: Output;
}
