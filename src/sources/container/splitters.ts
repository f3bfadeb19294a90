import { isUtf8 } from 'node:buffer';
import { BlankRun } from './blank-run.js';
import { TRUNCATED_PROBLEM, NOT_UTF8_PROBLEM, ValueBuffer, TOO_LARGE_PROBLEM, type RawValue } from './raw-value.js';

const NEWLINE = 0x0a;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const BLANK = 0x20;

/** Splits a stream of bytes into values, which it appends to `output`. */
export interface Splitter {
  push(chunk: Buffer, output: RawValue[]): void;
  /** Appends the values that remain after the last chunk. */
  end(output: RawValue[]): void;
}

function rawValue(line: number, item: number | null, bytes: Buffer, isTooLarge: boolean): RawValue {
  const text = bytes.toString('utf8');
  if (isTooLarge) return { line, item, text, problem: TOO_LARGE_PROBLEM };
  return { line, item, text, problem: isUtf8(bytes) ? null : NOT_UTF8_PROBLEM };
}

/** Splits a file with one value per line. Blank lines are skipped. */
export class LineSplitter implements Splitter {
  readonly #pieces = new ValueBuffer();
  readonly #blank = new BlankRun();
  #line = 1;

  push(chunk: Buffer, output: RawValue[]): void {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      this.#finish(chunk.subarray(start, end), output);
      start = end + 1;
    }
    if (start < chunk.length) this.#pieces.add(chunk.subarray(start));
  }

  end(output: RawValue[]): void {
    this.#finish(Buffer.alloc(0), output);
  }

  #finish(last: Buffer, output: RawValue[]): void {
    const { bytes, isTooLarge } = this.#pieces.flush(last);
    const value = rawValue(this.#line, null, bytes, isTooLarge);
    if (value.problem !== null || value.text.trim() !== '') {
      this.#blank.reset();
      output.push(value);
    } else this.#blank.add(bytes.length + 1, this.#line);
    this.#line += 1;
  }
}

/**
 * Splits consecutive values that may span several lines. Each item of a top-level array is a value of its own, because one
 * array may fill a file of many GiB.
 */
export class ValueSplitter implements Splitter {
  readonly #pieces = new ValueBuffer();
  readonly #blank = new BlankRun();
  #line = 1;
  #startLine = 1;
  #item: number | null = null;
  #isInsideValue = false;
  #depth = 0;
  #inString = false;
  #isEscaped = false;

  push(chunk: Buffer, output: RawValue[]): void {
    let start = 0;
    for (let at = 0; at < chunk.length; at += 1) {
      if (this.#inString) {
        at = this.#findStringEnd(chunk, at);
        if (at === -1) break;
        this.#inString = false;
        if (this.#depth === 0) this.#finish(chunk.subarray(start, at + 1), output);
        continue;
      }
      const byte = chunk[at] ?? 0;
      if (byte === NEWLINE) this.#line += 1;
      if (!this.#isInsideValue) {
        if (!this.#beginsValue(byte)) {
          this.#blank.add(1, this.#line);
          continue;
        }
        this.#blank.reset();
        start = at;
      }
      if (byte === QUOTE) this.#inString = true;
      else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) this.#depth += 1;
      else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
        if (this.#depth > 1) this.#depth -= 1;
        else {
          // A number or literal has no delimiter of its own: the closing bracket of its array ends it.
          const isLiteral = this.#depth === 0 && (at > start || !this.#pieces.isEmpty);
          this.#depth = 0;
          this.#finish(chunk.subarray(start, isLiteral ? at : at + 1), output);
          if (isLiteral && byte === CLOSE_ARRAY) this.#item = null;
        }
      } else if (this.#depth === 0 && (byte === COMMA || byte <= BLANK))
        this.#finish(chunk.subarray(start, at), output);
    }
    if (this.#isInsideValue) this.#pieces.add(chunk.subarray(start));
  }

  /** Returns the index of the quote that ends the string, or -1 if the string continues in the next chunk. */
  #findStringEnd(chunk: Buffer, from: number): number {
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

  end(output: RawValue[]): void {
    const isComplete = this.#isInsideValue && this.#depth === 0 && !this.#inString;
    if (isComplete) this.#finish(Buffer.alloc(0), output);
    if (!this.#isInsideValue && this.#item === null) return;
    const { bytes } = this.#pieces.flush(Buffer.alloc(0));
    output.push({ line: this.#startLine, item: this.#item, text: bytes.toString('utf8'), problem: TRUNCATED_PROBLEM });
  }

  /** Reports whether a value begins with this byte. The brackets and commas of a top-level array do not begin one. */
  #beginsValue(byte: number): boolean {
    if (byte <= BLANK || byte === COMMA) return false;
    if (byte === OPEN_ARRAY && this.#item === null) {
      this.#item = 0;
      return false;
    }
    if (byte === CLOSE_ARRAY && this.#item !== null) {
      this.#item = null;
      return false;
    }
    this.#isInsideValue = true;
    this.#startLine = this.#line;
    return true;
  }

  #finish(last: Buffer, output: RawValue[]): void {
    const { bytes, isTooLarge } = this.#pieces.flush(last);
    output.push(rawValue(this.#startLine, this.#item, bytes, isTooLarge));
    if (this.#item !== null) this.#item += 1;
    this.#isInsideValue = false;
  }
}
