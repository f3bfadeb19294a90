import { Command, CommanderError } from 'commander';
import { readConfig } from '../model/config.js';
import { openCurrentDatabase, openDatabase } from '../schema/open-database.js';
import type { RunAlone, RunWith } from './command.js';
import { addForgetCommand } from './forget.command.js';
import { addImportCommand } from './import.command.js';
import { addIngestCommand } from './ingest.command.js';
import { addKeysCommand } from './keys.command.js';
import { addMigrateCommand } from './migrate.command.js';
import { addNormalizeCommand } from './normalize.command.js';
import { DONE, FAILED, Output } from './output.js';
import { addPurgeCommand } from './purge.command.js';
import { addUsageCommand } from './usage.command.js';

/** Runs one operator command. @returns exit status: 0 done, 1 failed (one line why), 2 done with rejections */
export async function runCommand(argv: readonly string[]): Promise<number> {
  let status = DONE;
  const run: RunWith = async (command, work, schema = 'current') => {
    const { database: location, dataFolder } = readConfig(process.env);
    const database = await (schema === 'any' ? openDatabase(location) : openCurrentDatabase(location));
    try {
      status = await work({ database, dataFolder, output: new Output(command.opts<{ json?: true }>().json === true) });
    } finally {
      await database.close();
    }
  };
  const runAlone: RunAlone = async (command, work) => {
    status = await work(new Output(command.opts<{ json?: true }>().json === true));
  };
  const program = new Command('creator-data')
    .description('Operates the creator data lookup service: schema, data, keys, usage. DATABASE_URL says where.')
    .exitOverride();
  addNormalizeCommand(program, runAlone);
  for (const add of [
    addMigrateCommand,
    addImportCommand,
    addIngestCommand,
    addKeysCommand,
    addUsageCommand,
    addForgetCommand,
    addPurgeCommand,
  ])
    add(program, run);
  try {
    await program.parseAsync([...argv]);
    return status;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? DONE : FAILED;
    process.stderr.write(`${oneLine(error)}\n`);
    return FAILED;
  }
}

function oneLine(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(oneLine).join('; ');
  const message = error instanceof Error ? error.message : String(error);
  return message.split('\n', 1)[0] ?? message;
}
