import { isUtf8 } from 'node:buffer';
import { open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { LINE_TOO_LONG, MAX_LINE_BYTES } from './parse-line.js';

/** A line of a file (`number` from 1), or why it cannot be read as one. */
export interface Line {
  readonly number: number;
  /** Of a line that is too long, its beginning. */
  readonly text: string;
  readonly problem: string | null;
}

const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;
/** Small, so that reading gives way to the database's answers often. */
const READ_BYTES = 64 * 1024;

/** A source of lines that knows how far it has got. */
export class LineReader {
  #bytesRead = 0;
  #unpacked: Readable | null = null;
  #isStopped = false;

  private constructor(
    private readonly input: Readable,
    private readonly isGzip: boolean,
    /** Input size, null where unknown. */
    readonly totalBytes: number | null,
  ) {}

  /** @param file a path, unpacked if it ends in `.gz`; `-` is standard input */
  static async open(file: string): Promise<LineReader> {
    if (file === '-') return new LineReader(process.stdin, false, null);
    // Opened here, so that a missing file is an error of this call.
    const handle = await open(file);
    const { size } = await handle.stat();
    return new LineReader(handle.createReadStream({ highWaterMark: READ_BYTES }), file.endsWith('.gz'), size);
  }

  /** Bytes of the input read; of a gzip file, compressed ones. */
  get bytesRead(): number {
    return this.#bytesRead;
  }

  /** Ends `chunks` early. A reader of standard input would otherwise wait for whoever writes it. */
  stop(): void {
    this.#isStopped = true;
    this.input.destroy();
    this.#unpacked?.destroy();
  }

  /** The lines as they arrive, many at a time. Memory stays bounded by the longest allowed line. */
  async *chunks(): AsyncGenerator<Line[]> {
    let number = 0;
    let rest: Buffer = Buffer.alloc(0);
    let skipping = false;
    for await (const chunk of this.#bytes()) {
      const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      const lines: Line[] = [];
      // Checked once for the whole chunk: wrong bytes are rare.
      const isText = isUtf8(bytes);
      let start = 0;
      for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, start)) {
        number += 1;
        if (skipping) skipping = false;
        else lines.push(lineOf(number, bytes.subarray(start, end), isText));
        start = end + 1;
      }
      rest = bytes.subarray(start);
      if (skipping) rest = Buffer.alloc(0);
      else if (rest.length > MAX_LINE_BYTES + 1) {
        lines.push(tooLong(number + 1, rest));
        skipping = true;
        rest = Buffer.alloc(0);
      }
      if (lines.length > 0) yield lines;
    }
    // A stopped reader holds part of a line.
    if (!skipping && !this.#isStopped && rest.length > 0) yield [lineOf(number + 1, rest, false)];
  }

  async *#bytes(): AsyncGenerator<Buffer> {
    const { input } = this;
    input.on('data', (chunk: Buffer) => (this.#bytesRead += chunk.length));
    input.pause();
    if (this.isGzip) {
      this.#unpacked = input.pipe(createGunzip({ chunkSize: READ_BYTES }));
      input.once('error', (error) => this.#unpacked?.destroy(error));
    }
    try {
      yield* (this.#unpacked ?? input) as AsyncIterable<Buffer>;
    } catch (error) {
      // Destroying a stream before its end is an error of that stream.
      if (!this.#isStopped) throw error;
    }
  }
}

/** @param withBreak the line, which may end in the first half of a CRLF: part of the break, not of the line */
function lineOf(number: number, withBreak: Buffer, isText: boolean): Line {
  const bytes = withBreak.at(-1) === CARRIAGE_RETURN ? withBreak.subarray(0, -1) : withBreak;
  if (bytes.length > MAX_LINE_BYTES) return tooLong(number, bytes);
  const text = bytes.toString('utf8');
  return { number, text, problem: isText || isUtf8(bytes) ? null : 'not valid UTF-8' };
}

const tooLong = (number: number, bytes: Buffer): Line => ({
  number,
  text: bytes.toString('utf8', 0, MAX_LINE_BYTES),
  problem: LINE_TOO_LONG,
});
