import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { migrate, migrationNames, pendingMigrations } from '../schema/open-database.js';
import type { CommandRunner } from './command.js';
import { addExamples } from './help.js';
import { DONE, type Output } from './output.js';

export function addMigrateCommand(program: Command, run: CommandRunner): void {
  const command = program
    .command('migrate')
    .description('Brings the database up to date')
    .option('--status', 'print the missing migrations, and apply none')
    .option('--json', 'machine-readable result')
    .action((options: { status?: true }, command: Command) =>
      options.status
        ? printStatus(command, run)
        : run(
            command,
            async ({ database, output, audit }) => {
              const applied = await migrate(database);
              if (applied.length > 0) await audit.record({ applied: applied.length, newest: applied.at(-1) ?? null });
              output.printResult(
                { applied },
                applied.length === 0 ? 'The database was up to date.' : `Applied: ${applied.join(', ')}`,
              );
              return DONE;
            },
            'any',
          ),
    );
  addExamples(command, 'migrate', 'migrate --status --json');
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
