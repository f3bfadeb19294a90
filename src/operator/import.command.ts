import type { Command } from 'commander';
import type { Database } from '../database/database.js';
import { importLines, type ImportOutcome } from './import/importer.js';
import { LineReader } from './import/line-reader.js';
import { IMPORT_KINDS, type ImportKind } from './import/parse-line.js';
import { inputsOf, type InputArgument } from './inputs.js';
import { importKind } from './arguments.js';
import { DONE, FAILED, SOMETHING_REJECTED, type Output } from './output.js';
import type { RunWith } from './command.js';
import { Progress } from './progress.js';
import { stopSignal } from './stop-signal.js';

interface FileReport extends ImportOutcome {
  readonly file: string;
  /** Where the bad lines are, null without any. */
  readonly rejected_file: string | null;
  readonly seconds: number;
}

export function addImportCommand(program: Command, run: RunWith): void {
  program
    .command('import')
    .description('Loads NDJSON files; a record that is there already is replaced')
    .argument('<kind>', IMPORT_KINDS.join(', '), importKind)
    .argument('<file...>', 'files to load; - is standard input, .gz is unpacked')
    .option('--strict', 'stop at the first bad line')
    .option('--rejects <file>', 'where bad lines go, instead of FILE.rejected.ndjson')
    .option('--json', 'machine-readable result')
    .action((kind: ImportKind, files: string[], options: { strict?: true; rejects?: string }, command: Command) =>
      run(command, async ({ database, output }) => {
        const signal = stopSignal();
        const inputs = await inputsOf(files, options.rejects);
        const reports: FileReport[] = [];
        for (const input of inputs) {
          reports.push(await importFile(database, kind, input, options.strict === true, signal, output));
          if (signal.aborted) {
            output.say('Stopped. What was loaded is whole; the same command run again completes it.');
            return FAILED;
          }
        }
        output.result(reports, reports.map(describe).join('\n'));
        return reports.some(({ rejected }) => rejected > 0) ? SOMETHING_REJECTED : DONE;
      }),
    );
}

async function importFile(
  database: Database,
  kind: ImportKind,
  { file, rejects, isShared }: InputArgument,
  strict: boolean,
  signal: AbortSignal,
  output: Output,
): Promise<FileReport> {
  const reader = await LineReader.open(file);
  signal.addEventListener('abort', () => reader.stop());
  if (signal.aborted) reader.stop();
  const progress = new Progress(kind, reader.totalBytes, output);
  try {
    const outcome = await importLines(database, kind, reader, {
      strict,
      signal,
      reject: (rejected) => rejects.add(isShared ? rejected.map((line) => ({ file, ...line })) : rejected),
      progress: (soFar, bytes) => progress.show(soFar, bytes),
    });
    return { file, ...outcome, rejected_file: outcome.rejected > 0 ? rejects.path : null, seconds: progress.seconds };
  } finally {
    progress.stop();
    await rejects.close();
  }
}

function describe(report: FileReport): string {
  const { file, loaded, rejected, rejected_file, seconds } = report;
  const rate = Math.round(loaded / Math.max(seconds, 0.001)).toLocaleString('en');
  const bad = rejected === 0 ? '' : `, ${rejected.toLocaleString('en')} rejected (see ${rejected_file})`;
  return `${file}: ${loaded.toLocaleString('en')} loaded in ${seconds.toFixed(1)} s (${rate}/s)${bad}`;
}
