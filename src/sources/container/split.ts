import { isUtf8 } from 'node:buffer';
import { BlankRun } from './blank-run.js';
import { CUT_OFF, NOT_UTF8, Pieces, TOO_LARGE, type RawValue } from './raw-value.js';

const NEWLINE = 0x0a;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const BLANK = 0x20;

/** Cuts bytes into values, as they come. */
export interface Splitter {
  push(chunk: Buffer, found: RawValue[]): void;
  /** After the last chunk. */
  end(found: RawValue[]): void;
}

function rawValue(line: number, item: number | null, bytes: Buffer, isTooLarge: boolean): RawValue {
  const text = bytes.toString('utf8');
  if (isTooLarge) return { line, item, text, problem: TOO_LARGE };
  return { line, item, text, problem: isUtf8(bytes) ? null : NOT_UTF8 };
}

/** One value a line; blank lines are left out. */
export class LineSplitter implements Splitter {
  readonly #pieces = new Pieces();
  readonly #blank = new BlankRun();
  #line = 1;

  push(chunk: Buffer, found: RawValue[]): void {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      this.#finish(chunk.subarray(start, end), found);
      start = end + 1;
    }
    if (start < chunk.length) this.#pieces.add(chunk.subarray(start));
  }

  end(found: RawValue[]): void {
    this.#finish(Buffer.alloc(0), found);
  }

  #finish(last: Buffer, found: RawValue[]): void {
    const { bytes, isTooLarge } = this.#pieces.take(last);
    const value = rawValue(this.#line, null, bytes, isTooLarge);
    if (value.problem !== null || value.text.trim() !== '') {
      this.#blank.end();
      found.push(value);
    } else this.#blank.add(bytes.length + 1, this.#line);
    this.#line += 1;
  }
}

/**
 * Values one after the other, over as many lines as they like. Of an array at the top each item is a value of its own: a
 * file of many GiB may be one array.
 */
export class ValueSplitter implements Splitter {
  readonly #pieces = new Pieces();
  readonly #blank = new BlankRun();
  #line = 1;
  #beganAt = 1;
  #item: number | null = null;
  #isInside = false;
  #depth = 0;
  #inString = false;
  #isEscaped = false;

  push(chunk: Buffer, found: RawValue[]): void {
    let start = 0;
    for (let at = 0; at < chunk.length; at += 1) {
      if (this.#inString) {
        at = this.#endOfString(chunk, at);
        if (at === -1) break;
        this.#inString = false;
        if (this.#depth === 0) this.#finish(chunk.subarray(start, at + 1), found);
        continue;
      }
      const byte = chunk[at] ?? 0;
      if (byte === NEWLINE) this.#line += 1;
      if (!this.#isInside) {
        if (!this.#begins(byte)) {
          this.#blank.add(1, this.#line);
          continue;
        }
        this.#blank.end();
        start = at;
      }
      if (byte === QUOTE) this.#inString = true;
      else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) this.#depth += 1;
      else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
        if (this.#depth > 1) this.#depth -= 1;
        else {
          // A number or a word ends before the bracket that closes the array around it.
          const isWord = this.#depth === 0 && (at > start || !this.#pieces.isEmpty);
          this.#depth = 0;
          this.#finish(chunk.subarray(start, isWord ? at : at + 1), found);
          if (isWord && byte === CLOSE_ARRAY) this.#item = null;
        }
      } else if (this.#depth === 0 && (byte === COMMA || byte <= BLANK)) this.#finish(chunk.subarray(start, at), found);
    }
    if (this.#isInside) this.#pieces.add(chunk.subarray(start));
  }

  /** Where the quote is that ends the string, -1 if not in this chunk. Most of a document is strings: they are skipped. */
  #endOfString(chunk: Buffer, from: number): number {
    let start = from;
    for (;;) {
      const quote = chunk.indexOf(QUOTE, start);
      const end = quote === -1 ? chunk.length : quote;
      let backslashes = 0;
      while (end - 1 - backslashes >= start && chunk[end - 1 - backslashes] === BACKSLASH) backslashes += 1;
      const isFromStart = end - backslashes === start;
      const isEscaped = (backslashes % 2 === 1) !== (isFromStart && this.#isEscaped);
      this.#isEscaped = quote === -1 && isEscaped;
      if (quote === -1) return -1;
      if (!isEscaped) return quote;
      start = quote + 1;
    }
  }

  end(found: RawValue[]): void {
    const isWhole = this.#isInside && this.#depth === 0 && !this.#inString;
    if (isWhole) this.#finish(Buffer.alloc(0), found);
    if (!this.#isInside && this.#item === null) return;
    const { bytes } = this.#pieces.take(Buffer.alloc(0));
    found.push({ line: this.#beganAt, item: this.#item, text: bytes.toString('utf8'), problem: CUT_OFF });
  }

  /** Whether a value begins here; brackets and commas of the array at the top are none. */
  #begins(byte: number): boolean {
    if (byte <= BLANK || byte === COMMA) return false;
    if (byte === OPEN_ARRAY && this.#item === null) {
      this.#item = 0;
      return false;
    }
    if (byte === CLOSE_ARRAY && this.#item !== null) {
      this.#item = null;
      return false;
    }
    this.#isInside = true;
    this.#beganAt = this.#line;
    return true;
  }

  #finish(last: Buffer, found: RawValue[]): void {
    const { bytes, isTooLarge } = this.#pieces.take(last);
    found.push(rawValue(this.#beganAt, this.#item, bytes, isTooLarge));
    if (this.#item !== null) this.#item += 1;
    this.#isInside = false;
  }
}
