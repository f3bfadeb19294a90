/** Where a list stands; `has_more` only where the endpoint documents it. */
export interface Paging {
  readonly limit: number;
  readonly next_cursor: string | null;
  readonly has_more?: boolean;
}

/** A successful answer. Documents are the stored bytes of JSON, passed through as they are. */
export interface Success {
  readonly payload: Buffer | readonly Buffer[];
  readonly paging?: Paging;
  readonly meta: Readonly<Record<string, unknown>>;
  /** Pieces of data in the payload: what credits are counted by. */
  readonly itemsReturned: number;
}

/** The bytes of an answer: pieces that follow each other. */
export type Body = readonly Buffer[];

const PAYLOAD = Buffer.from('{"payload":');
const LIST = Buffer.from('{"payload":[');
const COMMA = 0x2c;
const OPEN = 0x5b;
const CLOSE = 0x5d;

/** @returns the whole envelope, and the part of it that does not depend on the request: what the ETag covers */
export function envelope(answer: Success): { body: Body; data: Body } {
  const { payload } = answer;
  const paging = Buffer.from(answer.paging === undefined ? '' : `,"paging":${JSON.stringify(answer.paging)}`);
  const meta = Buffer.from(`,"meta":${JSON.stringify(answer.meta)}}`);
  if (Buffer.isBuffer(payload)) return inOnePiece(Buffer.concat([PAYLOAD, payload, paging, meta]), meta.length);
  const list = sideBySide(payload);
  if (list === null) return inOnePiece(copied(payload, paging, meta), meta.length);
  const end = Buffer.concat([Buffer.of(CLOSE), paging, meta]);
  return { body: [LIST, list, end], data: [LIST, list, end.subarray(0, end.length - meta.length)] };
}

function inOnePiece(body: Buffer, metaBytes: number): { body: Body; data: Body } {
  return { body: [body], data: [body.subarray(0, body.length - metaBytes)] };
}

/** One piece is cheaper to digest and to send than many, and lets go of the memory that the documents are cut from. */
function copied(documents: readonly Buffer[], paging: Buffer, meta: Buffer): Buffer {
  const listBytes = documents.reduce((sum, document) => sum + document.length, Math.max(documents.length - 1, 0) + 2);
  const body = Buffer.allocUnsafe(PAYLOAD.length + listBytes + paging.length + meta.length);
  let end = PAYLOAD.copy(body);
  body[end++] = OPEN;
  documents.forEach((document, index) => {
    if (index > 0) body[end++] = COMMA;
    end += document.copy(body, end);
  });
  body[end++] = CLOSE;
  end += paging.copy(body, end);
  meta.copy(body, end);
  return body;
}

/**
 * The documents where they are, if they lie in one piece of memory with a comma between each two, as the embedded database
 * hands out a page: copying it would take as much time as reading it, and memory that is garbage at once. Not where that
 * would keep twice as much from being freed.
 */
function sideBySide(documents: readonly Buffer[]): Buffer | null {
  const [first] = documents;
  if (first === undefined) return null;
  let end = first.byteOffset + first.length;
  for (let index = 1; index < documents.length; index += 1) {
    const document = documents[index];
    if (document?.buffer !== first.buffer || document.byteOffset !== end + 1) return null;
    end += 1 + document.length;
  }
  const list = Buffer.from(first.buffer, first.byteOffset, end - first.byteOffset);
  if (list.length * 2 < first.buffer.byteLength) return null;
  let position = -1;
  for (const { length } of documents.slice(0, -1)) {
    position += length + 1;
    if (list[position] !== COMMA) return null;
  }
  return list;
}
