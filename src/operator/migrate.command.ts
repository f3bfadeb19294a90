import type { Command } from 'commander';
import { migrate, pendingMigrations } from '../schema/open-database.js';
import { DONE } from './output.js';
import type { RunWith } from './command.js';

export function addMigrateCommand(program: Command, run: RunWith): void {
  program
    .command('migrate')
    .description('Brings the database up to date')
    .option('--status', 'only tell what is missing')
    .option('--json', 'machine-readable result')
    .action((options: { status?: true }, command: Command) =>
      run(
        command,
        async ({ database, output }) => {
          if (options.status) {
            const pending = await pendingMigrations(database);
            output.result(
              { pending },
              pending.length === 0 ? 'The database is up to date.' : `Missing: ${pending.join(', ')}`,
            );
          } else {
            const applied = await migrate(database);
            output.result(
              { applied },
              applied.length === 0 ? 'The database was up to date.' : `Applied: ${applied.join(', ')}`,
            );
          }
          return DONE;
        },
        'any',
      ),
    );
}
