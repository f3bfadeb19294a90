import type { Command } from 'commander';
import { CounterEntity } from '../database/counter.entity.js';
import { RESTORE_COUNTER } from '../features/changes/feeds.js';
import { countOf } from '../model/counts.js';
import type { CommandRunner } from './command.js';
import { addExamples } from './help.js';
import { DONE } from './output.js';
import { settleOutageFiles } from './settle-outage-files.js';
import { describeWriter, dismissEndedWriters, listRunningWriters } from './usage/closed-days.js';

export function addRestoredCommand(program: Command, run: CommandRunner): void {
  const command = program
    .command('restored')
    .description(
      'Tells the store that it was restored from a backup: cursors of changes from before are answered 410 from now on',
    )
    .option('--json', 'machine-readable result')
    .action((_options: object, command: Command) =>
      run(
        command,
        async ({ database, dataFolder, output, audit }) => {
          // The time, because the number of restorations would repeat after a second one from the same backup.
          const mark = Date.now();
          await database.write(async (writer) => {
            await writer.lockData();
            await writer.upsert(CounterEntity, [{ name: RESTORE_COUNTER, value: mark }]);
            await audit.add(writer, { restored_at: new Date(mark).toISOString() });
          });
          await settleOutageFiles(database, dataFolder, output);
          const dismissed = await dismissEndedWriters(database, audit);
          const removed =
            dismissed === 0
              ? ''
              : ` Removed ${countOf(dismissed, 'process', 'processes')} that ran when the backup was made.`;
          output.printResult(
            { restored_at: new Date(mark).toISOString(), processes_removed: dismissed },
            'Cursors of changes from before are invalid now: clients that keep a copy begin again. The service builds its search ' +
              `index anew. Keys revoked and creators forgotten since the backup are back: repeat these commands.${removed}`,
          );
          const [running] = await listRunningWriters(database);
          if (running !== undefined) {
            output.printMessage(
              `Warning: ${describeWriter(running)}, seems to run: restart it, because it read the store from before.`,
            );
          }
          return DONE;
        },
        'existing',
      ),
    );
  addExamples(command, 'restored');
}
