import { Argument, type Command } from 'commander';
import type { Database } from '../database/database.js';
import { version } from '../model/version.js';
import { migrationNames } from '../schema/open-database.js';
import { batchRecords, reindexKind } from './arguments.js';
import type { RunWith } from './command.js';
import { withExamples } from './help.js';
import { DONE, FAILED, SOMETHING_REJECTED, type Output } from './output.js';
import { Progress } from './progress.js';
import { BATCH_RECORDS, reindex, startOf } from './reindex/reindex.js';
import { REINDEX_KINDS, SOURCES, type ReindexKind } from './reindex/sources.js';
import { stopSignal } from './stop-signal.js';

interface Options {
  readonly batch: number;
}

export function addReindexCommand(program: Command, run: RunWith): void {
  const command = program
    .command('reindex')
    .description('Derives the columns of stored records again, after a migration that added one; goes on after a stop')
    .addArgument(new Argument('<kind>', 'which records').choices(REINDEX_KINDS).argParser(reindexKind))
    .option('--batch <records>', 'records a transaction, for which imports wait', batchRecords, BATCH_RECORDS)
    .option('--json', 'machine-readable result')
    .action((kind: ReindexKind, { batch }: Options, command: Command) =>
      run(command, ({ database, output }) => reindexKindOf(database, kind, batch, output), 'existing'),
    );
  withExamples(command, 'reindex profiles', 'reindex content --batch 256');
}

async function reindexKindOf(database: Database, kind: ReindexKind, batch: number, output: Output): Promise<number> {
  const signal = stopSignal();
  const schema = `${version()} ${migrationNames().at(-1)}`;
  const start = await startOf(database, kind, schema);
  const total = await database.dataSource.getRepository(SOURCES[kind].entity).createQueryBuilder('stored').getCount();
  const progress = new Progress(kind, total, output, 'reindexed');
  const { progress: end, isOver } = await reindex(database, kind, {
    schema,
    batchRecords: batch,
    signal,
    progress: ({ records, unreadable }) => {
      const sinceStart = { lines: records, loaded: records - start.records, rejected: unreadable };
      progress.show(sinceStart, Math.min(records, total));
    },
  }).finally(() => progress.stop());
  if (!isOver) {
    output.say('Stopped. The same command run again goes on from there.');
    return FAILED;
  }
  const { records, changed, unreadable } = end;
  const { seconds } = progress;
  const count = (number: number) => number.toLocaleString('en');
  const bad =
    unreadable === 0 ? '' : `; ${count(unreadable)} left as they are, because an import would reject them today`;
  output.result(
    { kind, records, changed, unreadable, resumed_after: start.records, seconds },
    `${kind}: ${count(records)} read, ${count(changed)} written in ${seconds.toFixed(1)} s${bad}`,
  );
  return unreadable > 0 ? SOMETHING_REJECTED : DONE;
}
