import { existsSync } from 'node:fs';
import { Option, type Command } from 'commander';
import { lacksOnlyUsage, migrate, migrationNames, pendingMigrations } from '../schema/open-database.js';
import type { CommandContext, CommandRunner } from './command.js';
import { addExamples } from './help.js';
import { DONE, type Output } from './output.js';

interface MigrateOptions {
  readonly status?: true;
  readonly createUsageFile?: true;
}

export function addMigrateCommand(program: Command, run: CommandRunner): void {
  const command = program
    .command('migrate')
    .description('Brings the database up to date')
    .option('--status', 'print the missing migrations, and apply none')
    .addOption(
      new Option(
        '--create-usage-file',
        'create the missing usage file of an embedded database, without the usage so far',
      ).conflicts('status'),
    )
    .option('--json', 'machine-readable result')
    .action(({ status, createUsageFile }: MigrateOptions, command: Command) =>
      status ? printStatus(command, run) : run(command, applyMigrations, createUsageFile ? 'without-usage' : 'any'),
    );
  addExamples(command, 'migrate', 'migrate --status --json');
}

async function applyMigrations({ database, location, output, audit }: CommandContext): Promise<number> {
  const isUsageLost = await lacksOnlyUsage(database);
  if (isUsageLost && location.dialect === 'sqlite') {
    output.printMessage(
      `Creating ${location.usagePath} without usage: bills lack all earlier requests, and month allowances start anew.`,
    );
  }
  const applied = await migrate(database);
  if (applied.length > 0) {
    const created = isUsageLost ? { created_usage_file: true } : {};
    await audit.record({ applied: applied.length, newest: applied.at(-1) ?? null, ...created });
  }
  output.printResult(
    { applied },
    applied.length === 0 ? 'The database was up to date.' : `Applied: ${applied.join(', ')}`,
  );
  return DONE;
}

function printStatus(command: Command, run: CommandRunner): Promise<void> {
  return run.withoutDatabase(command, async ({ config, output }) => {
    const { database } = config();
    // Opening a missing database would create it.
    if (database.dialect === 'sqlite' && !existsSync(database.path)) {
      output.printMessage(`There is no database ${database.path} yet.`);
      printPending(output, migrationNames());
    } else {
      await run(
        command,
        async (context) => {
          printPending(context.output, await pendingMigrations(context.database));
          return DONE;
        },
        'any',
      );
    }
    return DONE;
  });
}

const printPending = (output: Output, pending: readonly string[]): void =>
  output.printResult(
    { pending },
    pending.length === 0 ? 'The database is up to date.' : `Missing: ${pending.join(', ')}`,
  );
