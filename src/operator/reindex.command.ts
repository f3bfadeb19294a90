import { Argument, type Command } from 'commander';
import { version } from '../model/version.js';
import { migrationNames } from '../schema/open-database.js';
import { parseBatchRecords, parseReindexKind } from './arguments.js';
import type { CommandContext, CommandRunner } from './command.js';
import { formatCount } from '../model/counts.js';
import { addExamples } from './help.js';
import { DONE, FAILED, SOMETHING_REJECTED } from './output.js';
import { ProgressBar } from './progress-bar.js';
import { DEFAULT_BATCH_RECORDS, reindex, resumeProgress } from './reindex/reindex.js';
import { REINDEX_KINDS, REINDEX_SOURCES, type ReindexKind } from './reindex/reindex-sources.js';
import { stopSignal } from './stop-signal.js';

interface ReindexCommandOptions {
  readonly batch: number;
}

export function addReindexCommand(program: Command, run: CommandRunner): void {
  const command = program
    .command('reindex')
    .description('Derives the columns of stored records again, after a migration added one; resumes an interrupted run')
    .addArgument(new Argument('<kind>', 'kind of the records').choices(REINDEX_KINDS).argParser(parseReindexKind))
    .option(
      '--batch <records>',
      'records per transaction; imports wait for each transaction',
      parseBatchRecords,
      DEFAULT_BATCH_RECORDS,
    )
    .option('--json', 'machine-readable result')
    .action((kind: ReindexKind, { batch }: ReindexCommandOptions, command: Command) =>
      run(command, (context) => runReindex(context, kind, batch), 'existing'),
    );
  addExamples(command, 'reindex profiles', 'reindex content --batch 256');
}

async function runReindex(
  { database, output, audit }: CommandContext,
  kind: ReindexKind,
  batch: number,
): Promise<number> {
  const signal = stopSignal();
  const schema = `${version()} ${migrationNames().at(-1)}`;
  const start = await resumeProgress(database, kind, schema);
  const total = await database.dataSource
    .getRepository(REINDEX_SOURCES[kind].entity)
    .createQueryBuilder('stored')
    .getCount();
  await audit.start({ kind });
  const progress = new ProgressBar(kind, total, output, 'reindexed');
  const { progress: finalProgress, isComplete } = await reindex(database, kind, {
    schema,
    batchRecords: batch,
    signal,
    progress: ({ records, unreadable }) => {
      const sinceStart = { lines: records, loaded: records - start.records, rejected: unreadable };
      progress.update(sinceStart, Math.min(records, total));
    },
  }).finally(() => progress.stop());
  const { records, changed, unreadable, firstUnreadable } = finalProgress;
  const outcome = !isComplete ? 'stopped' : unreadable > 0 ? 'rejected' : 'done';
  await audit.end({ kind, records, changed, unreadable }, outcome);
  if (!isComplete) {
    output.printMessage('Stopped. Run the same command again to continue from there.');
    return FAILED;
  }
  const { seconds } = progress;
  const listed = [...firstUnreadable, ...(unreadable > firstUnreadable.length ? ['…'] : [])].join(', ');
  const skipped =
    unreadable === 0
      ? ''
      : `; ${formatCount(unreadable)} left unchanged, because an import would reject them: ${listed}`;
  output.printResult(
    { kind, records, changed, unreadable, first_unreadable: firstUnreadable, resumed_after: start.records, seconds },
    `${kind}: ${formatCount(records)} read, ${formatCount(changed)} written${kind === 'content' && changed > 0 ? ' (all with games, whose links are not compared)' : ''} in ${seconds.toFixed(1)} s${skipped}`,
  );
  return unreadable > 0 ? SOMETHING_REJECTED : DONE;
}
