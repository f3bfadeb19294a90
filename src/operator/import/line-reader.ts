import { isUtf8 } from 'node:buffer';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { BlankRun } from '../../sources/container/blank-run.js';
import { openInput, READ_CHUNK_BYTES, type Input } from './input.js';
import { LINE_TOO_LONG, MAX_LINE_BYTES } from './parse-line.js';

/** A line of a file; `number` counts from 1. */
export interface Line {
  readonly number: number;
  /** The text; of a line that is too long, its beginning. */
  readonly text: string;
  /** Why the line is invalid; null if it is valid. */
  readonly problem: string | null;
}

const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** Reads the lines of a file, and counts the bytes it has read. */
export class LineReader {
  #bytesRead = 0;
  #decompressed: Readable | null = null;
  #isStopped = false;
  readonly #blank = new BlankRun();

  private constructor(
    private readonly input: Input,
    private readonly isGzip: boolean,
  ) {}

  /** Opens a file. @param file a path, decompressed if it ends in `.gz`; `-` is standard input */
  static async open(file: string): Promise<LineReader> {
    return new LineReader(await openInput(file), file.endsWith('.gz'));
  }

  get totalBytes(): number | null {
    return this.input.totalBytes;
  }

  /** Bytes read from the input; of a gzip file, compressed bytes. */
  get bytesRead(): number {
    return this.#bytesRead;
  }

  /** Stops `lines`, which could otherwise wait for standard input forever. */
  stop(): void {
    this.#isStopped = true;
    this.input.bytes.destroy();
    this.#decompressed?.destroy();
  }

  /** Yields the lines as they arrive, many at a time, without blank ones. Memory is bounded by the maximum line length. */
  async *lines(): AsyncGenerator<Line[]> {
    let number = 0;
    let rest: Buffer = Buffer.alloc(0);
    let isSkipping = false;
    for await (const chunk of this.#chunks()) {
      const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      const lines: Line[] = [];
      // Check all lines at once: invalid bytes are rare.
      const isValidUtf8 = isUtf8(bytes);
      let start = 0;
      for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, start)) {
        number += 1;
        if (isSkipping) isSkipping = false;
        else this.#add(lines, decodeLine(number, bytes.subarray(start, end), isValidUtf8));
        start = end + 1;
      }
      rest = bytes.subarray(start);
      if (isSkipping) rest = Buffer.alloc(0);
      else if (rest.length > MAX_LINE_BYTES + 1) {
        this.#add(lines, tooLong(number + 1, rest));
        isSkipping = true;
        rest = Buffer.alloc(0);
      }
      if (lines.length > 0) yield lines;
    }
    // A stopped reader may hold an incomplete line.
    if (isSkipping || this.#isStopped || rest.length === 0) return;
    const last: Line[] = [];
    this.#add(last, decodeLine(number + 1, rest, false));
    yield last;
  }

  #add(lines: Line[], line: Line): void {
    if (line.problem !== null || line.text.trim() !== '') {
      this.#blank.reset();
      lines.push(line);
      return;
    }
    try {
      this.#blank.add(line.text.length + 1, line.number);
    } catch (error) {
      throw new Error(`${this.input.name}: ${(error as Error).message}`, { cause: error });
    }
  }

  async *#chunks(): AsyncGenerator<Buffer> {
    const { bytes, name } = this.input;
    bytes.on('data', (chunk: Buffer) => (this.#bytesRead += chunk.length));
    bytes.pause();
    if (this.isGzip) {
      this.#decompressed = bytes.pipe(createGunzip({ chunkSize: READ_CHUNK_BYTES }));
      bytes.once('error', (error) => this.#decompressed?.destroy(error));
    }
    try {
      yield* (this.#decompressed ?? bytes) as AsyncIterable<Buffer>;
    } catch (error) {
      // `stop` destroys the stream, which then reports an error.
      if (this.#isStopped) return;
      throw new Error(`${name}: ${describeProblem(error as NodeJS.ErrnoException)}`, { cause: error });
    }
  }
}

/** Describes an error of reading or decompressing a file. */
function describeProblem({ code, message }: NodeJS.ErrnoException): string {
  if (code === 'Z_BUF_ERROR') return 'the gzip file is truncated: download it again';
  return code?.startsWith('Z_')
    ? 'this is not a valid gzip file: download it again, or rename it if it is not compressed'
    : message;
}

/** Decodes a line. @param bytes without the LF, but with the CR of a CRLF. @param isValidUtf8 whether that is already known */
function decodeLine(number: number, bytes: Buffer, isValidUtf8: boolean): Line {
  const line = bytes.at(-1) === CARRIAGE_RETURN ? bytes.subarray(0, -1) : bytes;
  if (line.length > MAX_LINE_BYTES) return tooLong(number, line);
  const text = line.toString('utf8');
  return { number, text, problem: isValidUtf8 || isUtf8(line) ? null : 'not valid UTF-8' };
}

const tooLong = (number: number, bytes: Buffer): Line => ({
  number,
  text: bytes.toString('utf8', 0, MAX_LINE_BYTES),
  problem: LINE_TOO_LONG,
});
