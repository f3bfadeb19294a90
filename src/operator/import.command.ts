import { access, constants, open, rm, type FileHandle } from 'node:fs/promises';
import type { Command } from 'commander';
import type { Database } from '../database/database.js';
import type { Rejected } from './import/chunks.js';
import { importLines, type ImportOutcome } from './import/importer.js';
import { LineReader } from './import/line-reader.js';
import { IMPORT_KINDS, type ImportKind } from './import/parse-line.js';
import { importKind } from './arguments.js';
import { DONE, FAILED, SOMETHING_REJECTED, type Output } from './output.js';
import type { RunWith } from './command.js';
import { Progress } from './progress.js';

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
    .option('--json', 'machine-readable result')
    .action((kind: ImportKind, files: string[], options: { strict?: true }, command: Command) =>
      run(command, async ({ database, output }) => {
        const stopping = new AbortController();
        process.once('SIGINT', () => stopping.abort());
        process.once('SIGTERM', () => stopping.abort());
        // A typo in the last name must not surface after hours.
        for (const file of files) if (file !== '-') await access(file, constants.R_OK);
        const reports: FileReport[] = [];
        for (const file of files) {
          reports.push(await importFile(database, kind, file, options.strict === true, stopping.signal, output));
          if (stopping.signal.aborted) {
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
  file: string,
  strict: boolean,
  signal: AbortSignal,
  output: Output,
): Promise<FileReport> {
  const reader = await LineReader.open(file);
  signal.addEventListener('abort', () => reader.stop());
  if (signal.aborted) reader.stop();
  const rejects = new RejectsFile(`${file === '-' ? 'stdin' : file}.rejected.ndjson`);
  await rejects.clear();
  const progress = new Progress(kind, reader.totalBytes, output);
  try {
    const outcome = await importLines(database, kind, reader, {
      strict,
      signal,
      reject: (rejected) => rejects.add(rejected),
      progress: (soFar, bytes) => progress.show(soFar, bytes),
    });
    return { file, ...outcome, rejected_file: outcome.rejected > 0 ? rejects.path : null, seconds: progress.seconds };
  } finally {
    progress.stop();
    await rejects.close();
  }
}

/** Bad lines are written in pieces of about this length. */
const PIECE_CHARACTERS = 256 * 1024;

/** Holds the bad lines of a file; it exists only if there are any. */
class RejectsFile {
  #handle: FileHandle | null = null;

  constructor(readonly path: string) {}

  /** Removes what an earlier run left. */
  async clear(): Promise<void> {
    await rm(this.path, { force: true });
  }

  async add(rejected: readonly Rejected[]): Promise<void> {
    this.#handle ??= await open(this.path, 'w');
    // In pieces: a chunk may consist of long bad lines only.
    let piece = '';
    for (const line of rejected) {
      piece += `${JSON.stringify(line)}\n`;
      if (piece.length < PIECE_CHARACTERS) continue;
      await this.#handle.appendFile(piece);
      piece = '';
    }
    await this.#handle.appendFile(piece);
  }

  async close(): Promise<void> {
    await this.#handle?.close();
  }
}

function describe(report: FileReport): string {
  const { file, loaded, rejected, rejected_file, seconds } = report;
  const rate = Math.round(loaded / Math.max(seconds, 0.001)).toLocaleString('en');
  const bad = rejected === 0 ? '' : `, ${rejected.toLocaleString('en')} rejected (see ${rejected_file})`;
  return `${file}: ${loaded.toLocaleString('en')} loaded in ${seconds.toFixed(1)} s (${rate}/s)${bad}`;
}
