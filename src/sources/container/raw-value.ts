/** A JSON value as text, or why there is none. `line` counts from 1, `item` from 0 in an array that is read item by item. */
export interface RawValue {
  readonly line: number;
  readonly item: number | null;
  /** Of a value that is too large, its beginning. */
  readonly text: string;
  readonly problem: string | null;
}

/** The largest document: well above any page of an API, or file of a downloader. */
export const MAX_DOCUMENT_BYTES = 16 * 1024 * 1024;

/** As much of a document that is too large as a message needs. */
export const SHOWN_BYTES = 1024;

export const TOO_LARGE =
  'the document is larger than 16 MiB: save the responses page by page, or cut the list in it with jq -c ".items[]"';
export const CUT_OFF = 'the JSON ends before it is complete: the file was cut off';
export const NOT_UTF8 = 'not valid UTF-8';
export const HTML =
  'an HTML page, not JSON: probably the error page of a site or of a proxy; fetch the response of the API again';

/** Collects the pieces of one value; memory stays bounded by the largest allowed one. */
export class Pieces {
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
    this.#pieces = [Buffer.from(Buffer.concat(this.#pieces).subarray(0, SHOWN_BYTES))];
  }

  /** The bytes so far with the last piece, or null if they are too many; the next value begins. */
  take(last: Buffer): { readonly bytes: Buffer; readonly isTooLarge: boolean } {
    if (this.#bytes > 0) this.add(last);
    const bytes = this.#bytes === 0 ? last : Buffer.concat(this.#pieces);
    const isTooLarge = this.#isTooLarge || bytes.length > MAX_DOCUMENT_BYTES;
    this.#pieces = [];
    this.#bytes = 0;
    this.#isTooLarge = false;
    return { bytes: isTooLarge ? bytes.subarray(0, SHOWN_BYTES) : bytes, isTooLarge };
  }
}
