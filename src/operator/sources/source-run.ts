import { FragmentStore } from '../../sources/assemble/fragment-store.js';
import { Assembly, type AssembledRecord } from '../../sources/assemble/assembly.js';
import type { Delimiter } from '../../sources/container/csv-rows.js';
import { CSV_SOURCE } from '../../sources/csv/csv.js';
import type { Mapper } from '../../sources/fragment.js';
import { RunCounters } from '../../sources/report.js';
import { SourceReader, StrictSourceError, type RejectedDocument } from '../../sources/source-reader.js';
import { openInput } from '../import/input.js';
import { RejectionReasons } from '../import/reasons.js';
import type { InputFile } from '../input-files.js';
import type { Output } from '../output.js';
import { ProgressBar } from '../progress-bar.js';

/** Options of a command that reads native data. */
export interface SourceRunOptions {
  readonly mappers: readonly Mapper[];
  readonly source: string;
  readonly inputs: readonly InputFile[];
  readonly strict: boolean;
  readonly signal: AbortSignal;
  readonly output: Output;
  /** Called while an input is read. @param totalBytes of the input; null: unknown */
  readonly progress?: (counters: RunCounters, file: string, bytes: number, totalBytes: number | null) => void;
}

/** One run of `normalize` or `ingest`: reads all inputs into a join on disk. */
export class SourceRun {
  readonly tally = new RunCounters();
  readonly reasons = new RejectionReasons();
  readonly #reader: SourceReader;

  private constructor(
    private readonly join: FragmentStore,
    private readonly options: SourceRunOptions,
  ) {
    this.#reader = new SourceReader(options.mappers, options.source, join, this.tally);
  }

  /** Reads the inputs. @throws StrictSourceError */
  static async start(options: SourceRunOptions): Promise<SourceRun> {
    const gathering = new SourceRun(await FragmentStore.open(), options);
    try {
      for (const input of options.inputs) if (!options.signal.aborted) await gathering.#read(input);
      gathering.tally.ambiguousHandles = gathering.join.indexHandles();
      return gathering;
    } catch (error) {
      await gathering.close();
      throw error;
    }
  }

  async close(): Promise<void> {
    this.join.close();
    for (const { rejects } of this.options.inputs) await rejects?.close();
  }

  /** Creates an assembly of the records that were read. */
  createAssembly(): Assembly {
    return new Assembly(this.join);
  }

  /** Rejects a record that cannot be stored. @throws StrictSourceError */
  async rejectRecord({ origin }: AssembledRecord, reason: string, text: string): Promise<void> {
    const { file, line } = this.#reader.locate(origin);
    const input = this.options.inputs.find((candidate) => candidate.file === file);
    this.tally.rejected += 1;
    if (input !== undefined) await this.#reject(input, [{ line, reason, text }]);
  }

  async #read(input: InputFile): Promise<void> {
    const { signal, output, source } = this.options;
    const { bytes, totalBytes, name, requireUnchanged } = await openInput(input.file);
    let bytesRead = 0;
    bytes.on('data', (chunk: Buffer) => (bytesRead += chunk.length));
    bytes.pause();
    const stop = () => bytes.destroy();
    signal.addEventListener('abort', stop);
    const progress = new ProgressBar(source, totalBytes, output, 'read');
    try {
      for await (const rejected of this.#reader.read(input.file, bytes, delimiterOf(input.file, source))) {
        if (rejected.length > 0) await this.#reject(input, rejected);
        progress.update({ lines: this.tally.read, loaded: this.tally.read, rejected: this.tally.rejected }, bytesRead);
        this.options.progress?.(this.tally, input.file, bytesRead, totalBytes);
      }
      if (!signal.aborted) await requireUnchanged();
    } catch (error) {
      // `stop` destroys the stream, which then reports an error.
      if (signal.aborted) return;
      if (error instanceof StrictSourceError) throw error;
      throw new Error(`${name}: ${(error as Error).message}`, { cause: error });
    } finally {
      progress.stop();
      signal.removeEventListener('abort', stop);
      stop();
    }
  }

  async #reject(
    { file, rejects, sharesRejects: isShared }: InputFile,
    rejected: readonly RejectedDocument[],
  ): Promise<void> {
    const [first] = rejected;
    if (this.options.strict && first !== undefined) throw new StrictSourceError(file, first);
    this.reasons.add(rejected);
    const held = isShared ? rejected.map((document) => ({ file, ...document })) : rejected;
    this.tally.rejectsOmitted += (await rejects?.add(held)) ?? 0;
  }
}

/** Returns what separates the cells of a table; null if the file is none. */
function delimiterOf(file: string, source: string): Delimiter | null {
  if (/\.tsv(?:\.gz)?$/i.test(file)) return '\t';
  return source === CSV_SOURCE || /\.csv(?:\.gz)?$/i.test(file) ? ',' : null;
}
