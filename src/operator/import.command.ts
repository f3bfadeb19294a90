import { Argument, Option, type Command } from 'commander';
import type { Database, Writer } from '../database/database.js';
import { removeProgress, saveProgress } from './import/import-progress.js';
import { StrictImportError } from './import/batches.js';
import { importLines, type ImportOutcome, type ResumePoint } from './import/importer.js';
import { LineReader } from './import/line-reader.js';
import { RejectionReasons } from './import/reasons.js';
import { IMPORT_KINDS, type ImportKind } from './import/parse-line.js';
import { nameOf, prepareResumption, type ResumableInput } from './import/resumption.js';
import type { ProgressMetrics } from './import/progress-metrics.js';
import { findImportInputs, type ImportInputs } from './import-inputs.js';
import type { ImportInput } from './import/input.js';
import { formatReport, type FileReport } from './import-report.js';
import { countOf } from '../model/counts.js';
import { OperatorError } from './operator-error.js';
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
import { DONE, FAILED, SOMETHING_REJECTED, type Output } from './output.js';
import type { CommandContext, CommandRunner } from './command.js';
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
    .description('Loads NDJSON files, or a folder that "export" wrote; an existing record is replaced')
    .addArgument(
      new Argument('<kind>', 'kind of the records; alone, the folder of an export')
        .choices(IMPORT_KINDS)
        .argParser((text) => text),
    )
    .argument('[file...]', 'files to load; - is standard input, .gz is decompressed')
    .option('--strict', 'stop at the first bad line')
    .option('--dry-run', 'check the lines, print the most frequent reasons for rejection, and load nothing')
    .addOption(
      new Option('--resume', 'continue an interrupted import of the same files where it stopped').conflicts('dryRun'),
    )
    .addOption(rejectsOption('lines'))
    .addOption(maxRejectsOption('lines'))
    .addOption(metricsOption('import.prom'))
    .option('--json', 'machine-readable result')
    .action(async (first: string, named: string[], options: ImportCommandOptions, command: Command) => {
      const found = await findImportInputs(first, named, command);
      const files = found.inputs.map(({ file }) => file);
      await requireReadableFiles(files);
      const { metrics: metricsFile } = options;
      await requireNoOverwrite(
        [
          ...listRejectsFiles(files, options),
          ...(metricsFile === undefined ? [] : renamedOutput(metricsFile, '--metrics')),
        ],
        [...(await protectDatabase(run.config().database)), ...protectInputs(files)],
      );
      await run(command, (context) => runImport(context, found, options));
    });
  addExamples(
    command,
    'import profiles profiles.ndjson',
    'import profiles profiles.ndjson --dry-run',
    'import profiles profiles.ndjson --resume',
    'import content part-1.ndjson.gz part-2.ndjson.gz --rejects rejects.ndjson',
    'import exports/2026-01-31',
    'zcat games.gz | creator-data import games - --strict',
  );
}

/** Imports files, one after the other. @returns the exit status */
async function runImport(
  { database, output, audit }: CommandContext,
  { inputs: found, target, maxLineBytes }: ImportInputs,
  options: ImportCommandOptions,
): Promise<number> {
  const signal = stopSignal();
  const resumable =
    options.dryRun === true
      ? found.map(() => NOT_RESUMABLE)
      : await prepareResumption(database, found, { resume: options.resume === true, output, signal });
  const marks = resumable.map(({ progress }) => progress?.rejects ?? null);
  const files = found.map(({ file }) => file);
  const inputs = await prepareInputs(files, options, marks);
  if (options.dryRun !== true) await audit.start(target);
  const metrics = await startMetrics(found, options);
  const results: FileResult[] = [];
  try {
    for (const [index, input] of inputs.entries()) {
      if (signal.aborted) break;
      const { [index]: state = NOT_RESUMABLE } = resumable;
      const isLast = index === inputs.length - 1;
      const context = { signal, output, maxLineBytes, metrics, isLast };
      const kind = found[index]?.kind;
      if (kind !== undefined) results.push(await importFile(database, kind, input, state, options, context));
    }
  } finally {
    await metrics?.stop();
  }
  const reports = results.map(({ report }) => report);
  for (const [index, { file, lines }] of reports.entries()) {
    // An export has a file of each kind, also of one without records.
    if (lines === 0 && found[index]?.sha256 === null && !signal.aborted)
      output.printMessage(`Warning: ${file} has no records.`);
  }
  const rejected = reports.reduce((total, report) => total + report.rejected, 0);
  if (options.dryRun !== true) {
    const loaded = reports.reduce((total, report) => total + report.loaded, 0);
    const outcome = signal.aborted ? 'stopped' : rejected > 0 ? 'rejected' : 'done';
    await audit.end({ ...target, loaded, rejected }, outcome);
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
  if (found.length === 0) output.printMessage('Warning: the export has no records.');
  output.printResult(
    reports,
    results.flatMap(({ report, loadedNow }) => formatReport(report, loadedNow, options)),
  );
  return rejected > 0 ? SOMETHING_REJECTED : DONE;
}

/** Starts `--metrics`. The metrics library is loaded only if it is needed. */
async function startMetrics(
  inputs: readonly ImportInput[],
  { metrics }: ImportCommandOptions,
): Promise<ProgressMetrics | null> {
  if (metrics === undefined) return null;
  const { ProgressMetrics } = await import('./import/progress-metrics.js');
  return ProgressMetrics.start(metrics, [...new Set(inputs.map(({ kind }) => kind))]);
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
  readonly metrics: ProgressMetrics | null;
  readonly maxLineBytes: number;
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
  { signal, output, metrics, maxLineBytes, isLast }: ImportContext,
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

  const reader = await LineReader.open(file, point?.position, maxLineBytes);
  const stop = () => reader.stop();
  signal.addEventListener('abort', stop);
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
      maxLineBytes,
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
        metrics?.update(kind, file, soFar, bytes, reader.totalBytes);
      },
    });
    metrics?.update(kind, file, outcome, reader.bytesRead, reader.totalBytes);
    if (last !== null && !isLast && !signal.aborted) {
      const complete = { ...last, outcome };
      await database.write((writer) => save(writer, complete, true));
    }
    return resultOf(outcome, bar.seconds);
  } catch (error) {
    if (!(error instanceof StrictImportError)) throw error;
    const loaded = (last as ResumePoint | null)?.outcome.loaded ?? 0;
    const stored = loaded === 0 ? 'nothing of it was loaded' : `loaded before it: ${countOf(loaded, 'record')}`;
    throw new OperatorError('invalid_file', `${nameOf(file)}: ${error.message}; ${stored}`);
  } finally {
    signal.removeEventListener('abort', stop);
    bar.stop();
    await rejects?.close();
  }
}
