/** A JSON value as text, or the problem with it. `line` counts from 1; `item` is the index in an array, from 0. */
export interface RawValue {
  readonly line: number;
  readonly item: number | null;
  /** The text of the value; only its beginning if the value is too large. */
  readonly text: string;
  readonly problem: string | null;
}

/** Size limit of a document, well above API response pages and downloader files. */
export const MAX_DOCUMENT_BYTES = 16 * 1024 * 1024;

/** Bytes of a document that is too large, or an HTML page, to keep for the file of rejects. */
export const MAX_EXCERPT_BYTES = 1024;

export const TOO_LARGE_PROBLEM =
  'the document is larger than 16 MiB: save the responses page by page, or split its list with jq -c ".items[]"';
export const TRUNCATED_PROBLEM = 'the JSON is incomplete: the line or the file may be cut off';
export const NOT_UTF8_PROBLEM = 'not valid UTF-8';
export const HTML_PROBLEM =
  'an HTML page, not JSON: probably an error page of the site or of a proxy; request the API again';

/** Buffers the pieces of one value, up to the size limit. */
export class ValueBuffer {
  #pieces: Buffer[] = [];
  #bytes = 0;
  #isTooLarge = false;

  get isEmpty(): boolean {
    return this.#bytes === 0;
  }

  add(piece: Buffer): void {
    if (this.#isTooLarge) return;
    this.#pieces.push(piece);
    this.#bytes += piece.length;
    if (this.#bytes <= MAX_DOCUMENT_BYTES + 1) return;
    this.#isTooLarge = true;
    this.#pieces = [Buffer.from(Buffer.concat(this.#pieces).subarray(0, MAX_EXCERPT_BYTES))];
  }

  /** Ends the value with its last piece and returns its bytes; if it is too large, only its beginning. */
  flush(last: Buffer): { readonly bytes: Buffer; readonly isTooLarge: boolean } {
    if (this.#bytes > 0) this.add(last);
    const bytes = this.#bytes === 0 ? last : Buffer.concat(this.#pieces);
    const isTooLarge = this.#isTooLarge || bytes.length > MAX_DOCUMENT_BYTES;
    this.#pieces = [];
    this.#bytes = 0;
    this.#isTooLarge = false;
    return { bytes: isTooLarge ? bytes.subarray(0, MAX_EXCERPT_BYTES) : bytes, isTooLarge };
  }
}
