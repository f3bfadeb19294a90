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
    .description('Derives the columns of stored records again, after a migration added one; resumes an interrupted run')
    .addArgument(new Argument('<kind>', 'kind of the records').choices(REINDEX_KINDS).argParser(reindexKind))
    .option(
      '--batch <records>',
      'records per transaction; imports wait for each transaction',
      batchRecords,
      BATCH_RECORDS,
    )
    .option('--json', 'machine-readable result')
    .action((kind: ReindexKind, { batch }: Options, command: Command) =>
      run(command, ({ database, output }) => runReindex(database, kind, batch, output), 'existing'),
    );
  withExamples(command, 'reindex profiles', 'reindex content --batch 256');
}

async function runReindex(database: Database, kind: ReindexKind, batch: number, output: Output): Promise<number> {
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
    output.say('Stopped. Run the same command again to continue from there.');
    return FAILED;
  }
  const { records, changed, unreadable } = end;
  const { seconds } = progress;
  const formatCount = (count: number) => count.toLocaleString('en');
  const skipped =
    unreadable === 0 ? '' : `; ${formatCount(unreadable)} left unchanged, because an import would reject them today`;
  output.result(
    { kind, records, changed, unreadable, resumed_after: start.records, seconds },
    `${kind}: ${formatCount(records)} read, ${formatCount(changed)} written in ${seconds.toFixed(1)} s${skipped}`,
  );
  return unreadable > 0 ? SOMETHING_REJECTED : DONE;
}
