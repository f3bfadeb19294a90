import { Join } from '../../sources/assemble/join.js';
import { Assembly, type Assembled } from '../../sources/assemble/assembly.js';
import { CSV } from '../../sources/csv/csv.js';
import type { Mapper } from '../../sources/fragment.js';
import { Tally } from '../../sources/report.js';
import { SourceReader, StrictSourceError, type RejectedDocument } from '../../sources/source-reader.js';
import { openInput } from '../import/input.js';
import type { InputArgument } from '../inputs.js';
import type { Output } from '../output.js';
import { Progress } from '../progress.js';

/** Options of a command that reads native data. */
export interface GatheringOptions {
  readonly mappers: readonly Mapper[];
  readonly source: string;
  readonly inputs: readonly InputArgument[];
  readonly strict: boolean;
  readonly signal: AbortSignal;
  readonly output: Output;
}

/** One run of `normalize` or `ingest`: reads all inputs into a join on disk. */
export class Gathering {
  readonly tally = new Tally();
  readonly #reader: SourceReader;

  private constructor(
    private readonly join: Join,
    private readonly options: GatheringOptions,
  ) {
    this.#reader = new SourceReader(options.mappers, options.source, join, this.tally);
  }

  /** Reads the inputs. @throws StrictSourceError */
  static async of(options: GatheringOptions): Promise<Gathering> {
    const gathering = new Gathering(await Join.open(), options);
    try {
      for (const input of options.inputs) if (!options.signal.aborted) await gathering.#read(input);
      gathering.tally.ambiguousHandles = gathering.join.collectHandles();
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
  assembly(): Assembly {
    return new Assembly(this.join);
  }

  /** Rejects a record that cannot be stored. @throws StrictSourceError */
  async rejectRecord({ origin }: Assembled, reason: string, text: string): Promise<void> {
    const { file, line } = this.#reader.placeOf(origin);
    const input = this.options.inputs.find((candidate) => candidate.file === file);
    this.tally.rejected += 1;
    if (input !== undefined) await this.#reject(input, [{ line, reason, text }]);
  }

  async #read(input: InputArgument): Promise<void> {
    const { signal, output, source } = this.options;
    const { bytes, totalBytes, name } = await openInput(input.file);
    let bytesRead = 0;
    bytes.on('data', (chunk: Buffer) => (bytesRead += chunk.length));
    bytes.pause();
    const stop = () => bytes.destroy();
    signal.addEventListener('abort', stop);
    const progress = new Progress(source, totalBytes, output, 'read');
    try {
      for await (const rejected of this.#reader.read(input.file, bytes, source === CSV || isCsv(input.file))) {
        if (rejected.length > 0) await this.#reject(input, rejected);
        progress.show({ lines: this.tally.read, loaded: this.tally.read, rejected: this.tally.rejected }, bytesRead);
      }
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

  async #reject({ file, rejects, isShared }: InputArgument, rejected: readonly RejectedDocument[]): Promise<void> {
    const [first] = rejected;
    if (this.options.strict && first !== undefined) throw new StrictSourceError(file, first);
    const held = isShared ? rejected.map((document) => ({ file, ...document })) : rejected;
    this.tally.rejectsOmitted += (await rejects?.add(held)) ?? 0;
  }
}

const isCsv = (file: string): boolean => /\.csv(?:\.gz)?$/i.test(file);
