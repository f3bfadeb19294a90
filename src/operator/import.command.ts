import { Argument, type Command } from 'commander';
import type { Database } from '../database/database.js';
import { importLines, type ImportOutcome } from './import/importer.js';
import { LineReader } from './import/line-reader.js';
import { RejectionReasons, type RejectionReason } from './import/reasons.js';
import { IMPORT_KINDS, type ImportKind } from './import/parse-line.js';
import {
  prepareInputs,
  listRejectsFiles,
  maxRejectsOption,
  formatOmitted,
  rejectsOption,
  requireReadableFiles,
  type InputFile,
  type RejectsOptions,
} from './input-files.js';
import { parseImportKind } from './arguments.js';
import { DONE, FAILED, SOMETHING_REJECTED, type Output } from './output.js';
import type { CommandRunner } from './command.js';
import { protectDatabase, protectInputs, renamedOutput, requireNoOverwrite } from './overwrite-guard.js';
import { addExamples } from './help.js';
import { ProgressBar } from './progress-bar.js';
import { stopSignal } from './stop-signal.js';

interface FileReport extends ImportOutcome {
  readonly file: string;
  /** The file with the rejected lines; null without any. */
  readonly rejected_file: string | null;
  /** Rejected lines that were not written, because of `--max-rejects`. */
  readonly rejects_omitted: number;
  /** The most frequent reasons for rejection. */
  readonly reasons: readonly RejectionReason[];
  readonly seconds: number;
}

interface ImportCommandOptions extends RejectsOptions {
  readonly strict?: boolean;
  readonly dryRun?: boolean;
  readonly metrics?: string;
}

interface ImportContext {
  readonly signal: AbortSignal;
  readonly output: Output;
  readonly updateMetrics: (soFar: ImportOutcome, bytes: number, totalBytes: number | null) => void;
}

export function addImportCommand(program: Command, run: CommandRunner): void {
  const command = program
    .command('import')
    .description('Loads NDJSON files; an existing record is replaced')
    .addArgument(new Argument('<kind>', 'kind of the records').choices(IMPORT_KINDS).argParser(parseImportKind))
    .argument('<file...>', 'files to load; - is standard input, .gz is decompressed')
    .option('--strict', 'stop at the first bad line')
    .option('--dry-run', 'check the lines, print the most frequent reasons for rejection, and load nothing')
    .addOption(rejectsOption('lines'))
    .addOption(maxRejectsOption('lines'))
    .option('--metrics <file>', 'write progress for the text collector of Prometheus to this file, such as import.prom')
    .option('--json', 'machine-readable result')
    .action(async (kind: ImportKind, files: string[], options: ImportCommandOptions, command: Command) => {
      await requireReadableFiles(files);
      const { metrics: metricsFile } = options;
      await requireNoOverwrite(
        [
          ...listRejectsFiles(files, options),
          ...(metricsFile === undefined ? [] : renamedOutput(metricsFile, '--metrics')),
        ],
        [...(await protectDatabase(run.config().database)), ...protectInputs(files)],
      );
      await run(command, async ({ database, output, audit }) => {
        const signal = stopSignal();
        const inputs = await prepareInputs(files, options);
        if (options.dryRun !== true) await audit.start({ kind, files: files.length });
        const metrics = await startMetrics(kind, options);
        const reports: FileReport[] = [];
        try {
          for (const input of inputs) {
            if (signal.aborted) break;
            const updateMetrics = (soFar: ImportOutcome, bytes: number, totalBytes: number | null) =>
              metrics?.update(input.file, soFar, bytes, totalBytes);
            reports.push(await importFile(database, kind, input, options, { signal, output, updateMetrics }));
          }
        } finally {
          await metrics?.stop();
        }
        const rejected = reports.reduce((total, report) => total + report.rejected, 0);
        if (options.dryRun !== true) {
          const loaded = reports.reduce((total, report) => total + report.loaded, 0);
          const outcome = signal.aborted ? 'stopped' : rejected > 0 ? 'rejected' : 'done';
          await audit.end({ kind, files: files.length, loaded, rejected }, outcome);
        }
        if (signal.aborted) {
          output.printMessage('Stopped. Every loaded batch is complete; run the same command again to load the rest.');
          return FAILED;
        }
        output.printResult(
          reports,
          reports.flatMap((report) => formatReport(report, options)),
        );
        return rejected > 0 ? SOMETHING_REJECTED : DONE;
      });
    });
  addExamples(
    command,
    'import profiles profiles.ndjson',
    'import profiles profiles.ndjson --dry-run',
    'import content part-1.ndjson.gz part-2.ndjson.gz --rejects rejects.ndjson',
    'zcat games.gz | creator-data import games - --strict',
  );
}

/** Starts `--metrics`. The metrics library is loaded only if it is needed. */
async function startMetrics(kind: ImportKind, { metrics }: ImportCommandOptions) {
  if (metrics === undefined) return null;
  const { ProgressMetrics } = await import('./import/progress-metrics.js');
  return ProgressMetrics.start(metrics, kind);
}

async function importFile(
  database: Database,
  kind: ImportKind,
  { file, rejects, sharesRejects: isShared }: InputFile,
  { strict = false, dryRun = false }: ImportCommandOptions,
  { signal, output, updateMetrics }: ImportContext,
): Promise<FileReport> {
  const reader = await LineReader.open(file);
  signal.addEventListener('abort', () => reader.stop());
  if (signal.aborted) reader.stop();
  const reasons = new RejectionReasons();
  let omitted = 0;
  const progress = new ProgressBar(kind, reader.totalBytes, output);
  try {
    const outcome = await importLines(database, kind, reader, {
      strict,
      dryRun,
      signal,
      reject: async (rejected) => {
        reasons.add(rejected);
        omitted += (await rejects?.add(isShared ? rejected.map((line) => ({ file, ...line })) : rejected)) ?? 0;
      },
      progress: (soFar, bytes) => {
        progress.update(soFar, bytes);
        updateMetrics(soFar, bytes, reader.totalBytes);
      },
    });
    updateMetrics(outcome, reader.bytesRead, reader.totalBytes);
    return {
      file,
      ...outcome,
      rejected_file: outcome.rejected > omitted ? (rejects?.path ?? null) : null,
      rejects_omitted: omitted,
      reasons: reasons.mostFrequent(),
      seconds: progress.seconds,
    };
  } finally {
    progress.stop();
    await rejects?.close();
  }
}

function formatReport(report: FileReport, options: ImportCommandOptions): string[] {
  const { file, loaded, rejected, rejected_file, rejects_omitted, reasons, seconds } = report;
  const { dryRun } = options;
  const formatCount = (lines: number) => lines.toLocaleString('en');
  const rate = formatCount(Math.round(loaded / Math.max(seconds, 0.001)));
  const good = dryRun
    ? `${formatCount(loaded)} would load`
    : `${formatCount(loaded)} loaded in ${seconds.toFixed(1)} s (${rate}/s)`;
  const bad = rejected === 0 ? '' : `, ${formatCount(rejected)} ${dryRun ? 'would be ' : ''}rejected`;
  const details = [rejected_file === null ? '' : `see ${rejected_file}`, formatOmitted(rejects_omitted, options)];
  const where = details.join('') === '' ? '' : ` (${details.filter((detail) => detail !== '').join('; ')})`;
  return [
    `${file}: ${good}${bad}${where}`,
    ...reasons.map(({ reason, lines }) => `  ${formatCount(lines)} × ${reason}`),
  ];
}
