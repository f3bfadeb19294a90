import { isUtf8 } from 'node:buffer';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { BlankRun } from '../../sources/container/blank-run.js';
import { openInput, READ_CHUNK_BYTES, type Input } from './input.js';
import { requireNdjson } from './require-ndjson.js';
import { lineTooLong, MAX_LINE_BYTES } from './parse-line.js';

/** A line of a file; `number` counts from 1. */
export interface Line {
  readonly number: number;
  /** The text; of a line that is too long, its beginning. */
  readonly text: string;
  /** Why the line is invalid; null if it is valid. */
  readonly problem: string | null;
  /** Position after the line and its line break. */
  readonly end: number;
}

/** Position between two lines of a file. */
export interface LinePosition {
  /** Number of the line before it. */
  readonly line: number;
  /** Bytes before it; of a gzip file, decompressed bytes. */
  readonly offset: number;
}

const START: LinePosition = { line: 0, offset: 0 };

const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** Reads the lines of a file, and counts the bytes it has read. */
export class LineReader {
  #bytesRead: number;
  #decompressed: Readable | null = null;
  #isStopped = false;
  readonly #blank = new BlankRun();

  private constructor(
    private readonly input: Input,
    private readonly isGzip: boolean,
    private readonly start: LinePosition,
    private readonly maxLineBytes: number,
  ) {
    this.#bytesRead = isGzip ? 0 : start.offset;
  }

  /** Opens a file. @param file a path, decompressed if it ends in `.gz`; `-` is standard input
   * @param start where to begin; a gzip file is decompressed from its beginning, but the lines before are skipped */
  static async open(file: string, start = START, maxLineBytes = MAX_LINE_BYTES): Promise<LineReader> {
    const isGzip = file.endsWith('.gz');
    return new LineReader(await openInput(file, isGzip ? 0 : start.offset), isGzip, start, maxLineBytes);
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
    let number = this.start.line;
    let offset = this.start.offset;
    let rest: Buffer = Buffer.alloc(0);
    // Beginning of a line that is too long. It is yielded when its end is known.
    let skipped: Buffer | null = null;
    let isFirst = this.start.offset === 0;
    for await (const chunk of this.#chunks()) {
      if (isFirst) requireNdjson(this.input.name, chunk);
      isFirst = false;
      const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      const lines: Line[] = [];
      // Check all lines at once: invalid bytes are rare.
      const isValidUtf8 = isUtf8(bytes);
      let start = 0;
      for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, start)) {
        number += 1;
        const line = bytes.subarray(start, end);
        start = end + 1;
        if (skipped === null)
          this.#add(lines, decodeLine(number, line, isValidUtf8, offset + start, this.maxLineBytes));
        else this.#add(lines, tooLong(number, skipped, offset + start, this.maxLineBytes));
        skipped = null;
      }
      offset += start;
      rest = bytes.subarray(start);
      if (rest.length > this.maxLineBytes + 1) skipped ??= rest;
      if (skipped !== null) {
        offset += rest.length;
        rest = Buffer.alloc(0);
      }
      if (lines.length > 0) yield lines;
    }
    // A stopped reader may hold an incomplete line.
    if (this.#isStopped || (skipped === null && rest.length === 0)) return;
    const last: Line[] = [];
    if (skipped === null) this.#add(last, decodeLine(number + 1, rest, false, offset + rest.length, this.maxLineBytes));
    else this.#add(last, tooLong(number + 1, skipped, offset, this.maxLineBytes));
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
    let skip = this.isGzip ? this.start.offset : 0;
    try {
      for await (const chunk of (this.#decompressed ?? bytes) as AsyncIterable<Buffer>) {
        if (skip < chunk.length) yield chunk.subarray(skip);
        skip = Math.max(0, skip - chunk.length);
      }
      if (!this.#isStopped) await this.input.requireUnchanged();
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
function decodeLine(number: number, bytes: Buffer, isValidUtf8: boolean, end: number, maxLineBytes: number): Line {
  const line = bytes.at(-1) === CARRIAGE_RETURN ? bytes.subarray(0, -1) : bytes;
  if (line.length > maxLineBytes) return tooLong(number, line, end, maxLineBytes);
  const text = line.toString('utf8');
  return { number, text, problem: isValidUtf8 || isUtf8(line) ? null : 'not valid UTF-8', end };
}

const tooLong = (number: number, bytes: Buffer, end: number, maxLineBytes: number): Line => ({
  number,
  text: bytes.toString('utf8', 0, MAX_LINE_BYTES),
  problem: lineTooLong(maxLineBytes),
  end,
});
