import { Argument, type Command } from 'commander';
import type { Database } from '../database/database.js';
import { importLines, type ImportOutcome } from './import/importer.js';
import { LineReader } from './import/line-reader.js';
import { Reasons, type Reason } from './import/reasons.js';
import { IMPORT_KINDS, type ImportKind } from './import/parse-line.js';
import {
  inputsOf,
  maxRejectsOption,
  omittedText,
  rejectsOption,
  requireFiles,
  type InputArgument,
  type RejectsOptions,
} from './inputs.js';
import { importKind } from './arguments.js';
import { DONE, FAILED, SOMETHING_REJECTED, type Output } from './output.js';
import type { RunWith } from './command.js';
import { withExamples } from './help.js';
import { Progress } from './progress.js';
import { stopSignal } from './stop-signal.js';

interface FileReport extends ImportOutcome {
  readonly file: string;
  /** Where the bad lines are, null without any. */
  readonly rejected_file: string | null;
  /** Bad lines that the file does not hold. */
  readonly rejects_omitted: number;
  /** The most frequent reasons for rejection. */
  readonly reasons: readonly Reason[];
  readonly seconds: number;
}

interface Options extends RejectsOptions {
  readonly strict?: boolean;
  readonly dryRun?: boolean;
  readonly metrics?: string;
}

interface ImportContext {
  readonly signal: AbortSignal;
  readonly output: Output;
  readonly show: (soFar: ImportOutcome, bytes: number, totalBytes: number | null) => void;
}

export function addImportCommand(program: Command, run: RunWith): void {
  const command = program
    .command('import')
    .description('Loads NDJSON files; a record that is there already is replaced')
    .addArgument(new Argument('<kind>', 'what the lines are').choices(IMPORT_KINDS).argParser(importKind))
    .argument('<file...>', 'files to load; - is standard input, .gz is unpacked')
    .option('--strict', 'stop at the first bad line')
    .option('--dry-run', 'only check the lines, and tell the most frequent reasons for rejection')
    .addOption(rejectsOption('lines'))
    .addOption(maxRejectsOption('lines'))
    .option('--metrics <file>', 'progress for the text collector of Prometheus, such as import.prom')
    .option('--json', 'machine-readable result')
    .action(async (kind: ImportKind, files: string[], options: Options, command: Command) => {
      await requireFiles(files);
      await run(command, async ({ database, output }) => {
        const signal = stopSignal();
        const inputs = await inputsOf(files, options);
        const metrics = await beginMetrics(kind, options);
        const reports: FileReport[] = [];
        try {
          for (const input of inputs) {
            if (signal.aborted) break;
            const show = (soFar: ImportOutcome, bytes: number, totalBytes: number | null) =>
              metrics?.show(input.file, soFar, bytes, totalBytes);
            reports.push(await importFile(database, kind, input, options, { signal, output, show }));
          }
        } finally {
          await metrics?.end();
        }
        if (signal.aborted) {
          output.say('Stopped. What was loaded is whole; the same command run again completes it.');
          return FAILED;
        }
        output.result(
          reports,
          reports.flatMap((report) => describe(report, options)),
        );
        return reports.some(({ rejected }) => rejected > 0) ? SOMETHING_REJECTED : DONE;
      });
    });
  withExamples(
    command,
    'import profiles profiles.ndjson',
    'import profiles profiles.ndjson --dry-run',
    'import content part-1.ndjson.gz part-2.ndjson.gz --rejects rejects.ndjson',
    'zcat games.gz | creator-data import games - --strict',
  );
}

/** Loads what that takes only where metrics are asked for. */
async function beginMetrics(kind: ImportKind, { metrics }: Options) {
  if (metrics === undefined) return null;
  const { ProgressMetrics } = await import('./import/progress-metrics.js');
  return ProgressMetrics.begin(metrics, kind);
}

async function importFile(
  database: Database,
  kind: ImportKind,
  { file, rejects, isShared }: InputArgument,
  { strict = false, dryRun = false }: Options,
  { signal, output, show }: ImportContext,
): Promise<FileReport> {
  const reader = await LineReader.open(file);
  signal.addEventListener('abort', () => reader.stop());
  if (signal.aborted) reader.stop();
  const reasons = new Reasons();
  let omitted = 0;
  const progress = new Progress(kind, reader.totalBytes, output);
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
        progress.show(soFar, bytes);
        show(soFar, bytes, reader.totalBytes);
      },
    });
    show(outcome, reader.bytesRead, reader.totalBytes);
    return {
      file,
      ...outcome,
      rejected_file: outcome.rejected > omitted ? (rejects?.path ?? null) : null,
      rejects_omitted: omitted,
      reasons: reasons.top(),
      seconds: progress.seconds,
    };
  } finally {
    progress.stop();
    await rejects?.close();
  }
}

function describe(report: FileReport, options: Options): string[] {
  const { file, loaded, rejected, rejected_file, rejects_omitted, reasons, seconds } = report;
  const { dryRun } = options;
  const count = (lines: number) => lines.toLocaleString('en');
  const rate = count(Math.round(loaded / Math.max(seconds, 0.001)));
  const good = dryRun
    ? `${count(loaded)} would load`
    : `${count(loaded)} loaded in ${seconds.toFixed(1)} s (${rate}/s)`;
  const bad = rejected === 0 ? '' : `, ${count(rejected)} ${dryRun ? 'would be ' : ''}rejected`;
  const details = [rejected_file === null ? '' : `see ${rejected_file}`, omittedText(rejects_omitted, options)];
  const where = details.join('') === '' ? '' : ` (${details.filter((detail) => detail !== '').join('; ')})`;
  return [`${file}: ${good}${bad}${where}`, ...reasons.map(({ reason, lines }) => `  ${count(lines)} × ${reason}`)];
}
