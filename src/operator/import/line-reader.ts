import { isUtf8 } from 'node:buffer';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { BlankRun } from '../../sources/container/blank-run.js';
import { openInput, READ_BYTES, type Input } from './input.js';
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

/** A source of lines that knows how far it has got. */
export class LineReader {
  #bytesRead = 0;
  #unpacked: Readable | null = null;
  #isStopped = false;
  readonly #blank = new BlankRun();

  private constructor(
    private readonly input: Input,
    private readonly isGzip: boolean,
  ) {}

  /** @param file a path, unpacked if it ends in `.gz`; `-` is standard input */
  static async open(file: string): Promise<LineReader> {
    return new LineReader(await openInput(file), file.endsWith('.gz'));
  }

  get totalBytes(): number | null {
    return this.input.totalBytes;
  }

  /** Bytes of the input read; of a gzip file, compressed ones. */
  get bytesRead(): number {
    return this.#bytesRead;
  }

  /** Ends `lines` early. A reader of standard input would otherwise wait for whoever writes it. */
  stop(): void {
    this.#isStopped = true;
    this.input.bytes.destroy();
    this.#unpacked?.destroy();
  }

  /** The lines but blank ones as they arrive, many at a time. Memory stays bounded by the longest allowed line. */
  async *lines(): AsyncGenerator<Line[]> {
    let number = 0;
    let rest: Buffer = Buffer.alloc(0);
    let skipping = false;
    for await (const read of this.#bytes()) {
      const bytes = rest.length === 0 ? read : Buffer.concat([rest, read]);
      const lines: Line[] = [];
      // Checked once for all: wrong bytes are rare.
      const isText = isUtf8(bytes);
      let start = 0;
      for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, start)) {
        number += 1;
        if (skipping) skipping = false;
        else this.#add(lines, lineOf(number, bytes.subarray(start, end), isText));
        start = end + 1;
      }
      rest = bytes.subarray(start);
      if (skipping) rest = Buffer.alloc(0);
      else if (rest.length > MAX_LINE_BYTES + 1) {
        this.#add(lines, tooLong(number + 1, rest));
        skipping = true;
        rest = Buffer.alloc(0);
      }
      if (lines.length > 0) yield lines;
    }
    // A stopped reader holds part of a line.
    if (skipping || this.#isStopped || rest.length === 0) return;
    const last: Line[] = [];
    this.#add(last, lineOf(number + 1, rest, false));
    yield last;
  }

  #add(lines: Line[], line: Line): void {
    if (line.problem !== null || line.text.trim() !== '') {
      this.#blank.end();
      lines.push(line);
      return;
    }
    try {
      this.#blank.add(line.text.length + 1, line.number);
    } catch (error) {
      throw new Error(`${this.input.name}: ${(error as Error).message}`, { cause: error });
    }
  }

  async *#bytes(): AsyncGenerator<Buffer> {
    const { bytes, name } = this.input;
    bytes.on('data', (read: Buffer) => (this.#bytesRead += read.length));
    bytes.pause();
    if (this.isGzip) {
      this.#unpacked = bytes.pipe(createGunzip({ chunkSize: READ_BYTES }));
      bytes.once('error', (error) => this.#unpacked?.destroy(error));
    }
    try {
      yield* (this.#unpacked ?? bytes) as AsyncIterable<Buffer>;
    } catch (error) {
      // Destroying a stream before its end is an error of that stream.
      if (this.#isStopped) return;
      throw new Error(`${name}: ${problemOf(error as NodeJS.ErrnoException)}`, { cause: error });
    }
  }
}

/** zlib's own words help nobody. */
function problemOf({ code, message }: NodeJS.ErrnoException): string {
  if (code === 'Z_BUF_ERROR') return 'the gzip file ends in the middle: fetch it again';
  return code?.startsWith('Z_') ? 'this is no gzip file, or a broken one: fetch it again, or rename it' : message;
}

/** @param bytes without the line break, but with the CR where that is a CRLF: not part of the line */
function lineOf(number: number, bytes: Buffer, isText: boolean): Line {
  const line = bytes.at(-1) === CARRIAGE_RETURN ? bytes.subarray(0, -1) : bytes;
  if (line.length > MAX_LINE_BYTES) return tooLong(number, line);
  const text = line.toString('utf8');
  return { number, text, problem: isText || isUtf8(line) ? null : 'not valid UTF-8' };
}

const tooLong = (number: number, bytes: Buffer): Line => ({
  number,
  text: bytes.toString('utf8', 0, MAX_LINE_BYTES),
  problem: LINE_TOO_LONG,
});
