import { Argument, Option, type Command } from 'commander';
import type { Database, Writer } from '../database/database.js';
import { removeProgress, saveProgress } from './import/import-progress.js';
import { importLines, type ImportOutcome, type ResumePoint } from './import/importer.js';
import { LineReader } from './import/line-reader.js';
import { RejectionReasons } from './import/reasons.js';
import { IMPORT_KINDS, type ImportKind } from './import/parse-line.js';
import { prepareResumption, type ResumableInput } from './import/resumption.js';
import { formatReport, type FileReport } from './import-report.js';
import {
  prepareInputs,
  listRejectsFiles,
  maxRejectsOption,
  metricsOption,
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

/** Number of distinct reasons for rejection whose counts survive an interruption. */
const MAX_SAVED_REASONS = 100;

interface ImportCommandOptions extends RejectsOptions {
  readonly strict?: boolean;
  readonly dryRun?: boolean;
  readonly resume?: boolean;
  readonly metrics?: string;
}

export function addImportCommand(program: Command, run: CommandRunner): void {
  const command = program
    .command('import')
    .description('Loads NDJSON files; an existing record is replaced')
    .addArgument(new Argument('<kind>', 'kind of the records').choices(IMPORT_KINDS).argParser(parseImportKind))
    .argument('<file...>', 'files to load; - is standard input, .gz is decompressed')
    .option('--strict', 'stop at the first bad line')
    .option('--dry-run', 'check the lines, print the most frequent reasons for rejection, and load nothing')
    .addOption(
      new Option('--resume', 'continue an interrupted import of the same files where it stopped').conflicts('dryRun'),
    )
    .addOption(rejectsOption('lines'))
    .addOption(maxRejectsOption('lines'))
    .addOption(metricsOption('import.prom'))
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
      await run(command, async ({ database, output }) => {
        const signal = stopSignal();
        const resumable =
          options.dryRun === true
            ? files.map(() => NOT_RESUMABLE)
            : await prepareResumption(database, kind, files, { resume: options.resume === true, output, signal });
        const marks = resumable.map(({ progress }) => progress?.rejects ?? null);
        const inputs = await prepareInputs(files, options, marks);
        const metrics = await startMetrics(kind, options);
        const results: FileResult[] = [];
        try {
          for (const [index, input] of inputs.entries()) {
            if (signal.aborted) break;
            const updateMetrics = (soFar: ImportOutcome, bytes: number, totalBytes: number | null) =>
              metrics?.update(input.file, soFar, bytes, totalBytes);
            const context = { signal, output, updateMetrics, isLast: index === inputs.length - 1 };
            const { [index]: state = NOT_RESUMABLE } = resumable;
            results.push(await importFile(database, kind, input, state, options, context));
          }
        } finally {
          await metrics?.stop();
        }
        if (signal.aborted) {
          const isResumable = resumable.every(({ identity }) => identity !== null);
          output.printMessage(`Stopped. ${describeStop(options, isResumable)}`);
          return FAILED;
        }
        await removeProgress(
          database,
          resumable.flatMap(({ identity }) => identity ?? []),
        );
        const reports = results.map(({ report }) => report);
        output.printResult(
          reports,
          results.flatMap(({ report, loadedNow }) => formatReport(report, loadedNow, options)),
        );
        return reports.some(({ rejected }) => rejected > 0) ? SOMETHING_REJECTED : DONE;
      });
    });
  addExamples(
    command,
    'import profiles profiles.ndjson',
    'import profiles profiles.ndjson --dry-run',
    'import profiles profiles.ndjson --resume',
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

const NOT_RESUMABLE: ResumableInput = { identity: null, progress: null };

function describeStop({ dryRun }: ImportCommandOptions, isResumable: boolean): string {
  if (dryRun) return 'Nothing was loaded.';
  return isResumable
    ? 'Every loaded batch is complete; run the same command with --resume to load the rest.'
    : 'Every loaded batch is complete; run the same command again to load all lines: only regular files can be resumed.';
}

interface ImportContext {
  readonly signal: AbortSignal;
  readonly output: Output;
  /** Whether no other file of the command follows. */
  readonly isLast: boolean;
  readonly updateMetrics: (soFar: ImportOutcome, bytes: number, totalBytes: number | null) => void;
}

interface FileResult {
  readonly report: FileReport;
  /** Lines that this command loaded. */
  readonly loadedNow: number;
}

async function importFile(
  database: Database,
  kind: ImportKind,
  { file, rejects, sharesRejects: isShared, continuesRejects }: InputFile,
  { identity, progress: interrupted }: ResumableInput,
  { strict = false, dryRun = false }: ImportCommandOptions,
  { signal, output, updateMetrics, isLast }: ImportContext,
): Promise<FileResult> {
  const point = interrupted?.point ?? null;
  const reasons = new RejectionReasons(interrupted?.reasons);
  let omitted = interrupted?.omitted ?? 0;
  const resultOf = (outcome: Readonly<ImportOutcome>, seconds: number): FileResult => ({
    report: {
      file,
      ...outcome,
      resumed_after: point?.storedLine ?? 0,
      rejected_file: outcome.rejected > omitted ? (rejects?.path ?? null) : null,
      rejects_omitted: omitted,
      reasons: reasons.mostFrequent(),
      seconds,
    },
    loadedNow: outcome.loaded - (point?.outcome.loaded ?? 0),
  });
  if (point !== null && point.outcome.rejected > omitted && !continuesRejects) {
    output.printMessage(`${file}: earlier rejects are not in ${rejects?.path}, only those from now on`);
  }
  if (point !== null && interrupted?.isComplete) return resultOf(point.outcome, 0);

  const reader = await LineReader.open(file, point?.position);
  signal.addEventListener('abort', () => reader.stop());
  if (signal.aborted) reader.stop();
  const bar = new ProgressBar(kind, reader.totalBytes, output);
  let last: ResumePoint | null = point;
  const save = async (writer: Writer, at: ResumePoint, isComplete = false) => {
    if (identity === null) return;
    const end = (await rejects?.mark()) ?? null;
    const state = { omitted, reasons: reasons.mostFrequent(MAX_SAVED_REASONS), rejects: end };
    await saveProgress(writer, { ...identity, ...state, savedAt: Date.now(), point: at, isComplete });
  };
  try {
    const outcome = await importLines(database, kind, reader, {
      strict,
      dryRun,
      signal,
      resume: point,
      save: async (writer, at) => {
        await save(writer, at);
        last = { ...at, outcome: { ...at.outcome } };
      },
      reject: async (rejected) => {
        reasons.add(rejected);
        omitted += (await rejects?.add(isShared ? rejected.map((line) => ({ file, ...line })) : rejected)) ?? 0;
      },
      progress: (soFar, bytes) => {
        bar.update({ ...soFar, loaded: soFar.loaded - (point?.outcome.loaded ?? 0) }, bytes);
        updateMetrics(soFar, bytes, reader.totalBytes);
      },
    });
    updateMetrics(outcome, reader.bytesRead, reader.totalBytes);
    if (last !== null && !isLast && !signal.aborted) {
      const complete = { ...last, outcome };
      await database.write((writer) => save(writer, complete, true));
    }
    return resultOf(outcome, bar.seconds);
  } finally {
    bar.stop();
    await rejects?.close();
  }
}
