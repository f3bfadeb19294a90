import type { Command } from 'commander';
import { CSV_SOURCE } from '../sources/csv/csv.js';
import { parseSourceName, SOURCE_NAMES } from './arguments.js';
import type { CommandRunner } from './command.js';
import { ingest } from './ingest/ingest.js';
import {
  listRejectsFiles,
  prepareInputs,
  maxRejectsOption,
  metricsOption,
  rejectsOption,
  requireReadableFiles,
  type RejectsOptions,
} from './input-files.js';
import { protectDatabase, protectFile, protectInputs, renamedOutput, requireNoOverwrite } from './overwrite-guard.js';
import { DONE, FAILED, SOMETHING_REJECTED } from './output.js';
import { SourceRun } from './sources/source-run.js';
import { selectMappers, mappingOption, setOption } from './sources/select-mappers.js';
import { formatReport } from './sources/report-text.js';
import { stopSignal } from './stop-signal.js';
import { addExamples } from './help.js';

interface IngestOptions extends RejectsOptions {
  readonly mapping?: string;
  readonly set?: Readonly<Record<string, string>>;
  readonly strict?: true;
  readonly dryRun?: true;
  readonly metrics?: string;
}

export function addIngestCommand(program: Command, run: CommandRunner): void {
  const command = program
    .command('ingest')
    .description('Loads native data of the platforms and of well-known tools, merged with the stored records')
    .argument('<source>', SOURCE_NAMES.join(', '), parseSourceName)
    .argument('<file...>', 'files to read; - is standard input, .gz is decompressed')
    .addOption(mappingOption())
    .addOption(setOption())
    .option('--strict', 'stop at the first bad document, before anything is stored')
    .option('--dry-run', 'read, check and merge everything, print what would be stored, and store nothing')
    .addOption(rejectsOption('documents'))
    .addOption(maxRejectsOption('documents'))
    .addOption(metricsOption('ingest.prom'))
    .option('--json', 'machine-readable report')
    .action(async (source: string, files: string[], options: IngestOptions, command: Command) => {
      await requireReadableFiles(files);
      const mappers = await selectMappers(source, options.mapping, options.set);
      const { metrics: metricsFile, dryRun = false } = options;
      await requireNoOverwrite(
        [
          ...listRejectsFiles(files, options),
          ...(metricsFile === undefined ? [] : renamedOutput(metricsFile, '--metrics')),
        ],
        [
          ...(await protectDatabase(run.config().database)),
          ...protectFile(options.mapping, 'the mapping'),
          ...protectInputs(files),
        ],
      );
      await run(command, async ({ database, output, audit }) => {
        const startedAt = Date.now();
        const signal = stopSignal();
        const inputs = await prepareInputs(files, options);
        const strict = options.strict === true;
        const metrics = await startMetrics(source, metricsFile);
        try {
          const sourceRun = await SourceRun.start({
            mappers,
            source,
            inputs,
            strict,
            signal,
            output,
            progress: (counters, file, bytes, totalBytes) => {
              metrics?.updateFile(file, bytes, totalBytes);
              metrics?.updateCounts(counters);
            },
          });
          try {
            if (!dryRun) await audit.start({ source, files: files.length });
            const progress = () => metrics?.updateCounts(sourceRun.tally);
            if (!signal.aborted) await ingest(database, sourceRun, { now: startedAt, dryRun, progress, signal });
            progress();
            const { report } = sourceRun.tally;
            if (!dryRun) {
              const outcome = signal.aborted ? 'stopped' : report.rejected > 0 ? 'rejected' : 'done';
              await audit.end({ source, files: files.length, ...report.records, rejected: report.rejected }, outcome);
            }
            if (signal.aborted) {
              output.printMessage(`Stopped. ${dryRun ? NOTHING_STORED : SOME_STORED}`);
              return FAILED;
            }
            const reasons = sourceRun.reasons.mostFrequent();
            const seconds = (Date.now() - startedAt) / 1000;
            output.printResult(
              { source, files, dry_run: dryRun, ...report, reasons, seconds },
              formatReport(report, reasons, seconds, dryRun ? 'would load' : 'loaded', {
                ...options,
                isTable: source === CSV_SOURCE,
              }),
            );
            return report.rejected > 0 ? SOMETHING_REJECTED : DONE;
          } finally {
            await sourceRun.close();
          }
        } finally {
          await metrics?.stop();
        }
      });
    });
  addExamples(
    command,
    'ingest auto responses.ndjson',
    'ingest auto responses.ndjson --dry-run',
    'ingest youtube videos.json --strict',
  );
}

const NOTHING_STORED = 'Nothing was stored.';
const SOME_STORED =
  'Every stored batch is complete; run the same command again: it reads all files, and stores the rest.';

/** Starts `--metrics`. The metrics library is loaded only if it is needed. */
async function startMetrics(source: string, path: string | undefined) {
  if (path === undefined) return null;
  const { IngestMetrics } = await import('./ingest/ingest-metrics.js');
  return IngestMetrics.start(path, source);
}
