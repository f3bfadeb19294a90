import { JoinedDocuments, type DocumentList } from '../../database/document-list.js';

/** Where a list stands; `has_more` only where the endpoint documents it. */
export interface Paging {
  readonly limit: number;
  readonly next_cursor: string | null;
  readonly has_more?: boolean;
}

/** A successful answer. Documents are the stored bytes of JSON, passed through as they are. */
export interface Success {
  readonly payload: Buffer | DocumentList;
  readonly paging?: Paging;
  readonly meta: Readonly<Record<string, unknown>>;
  /** Pieces of data in the payload: what credits are counted by. */
  readonly itemsReturned: number;
}

/** The bytes of an answer. */
export interface Body {
  /** They follow each other. */
  readonly pieces: readonly Buffer[];
  /** The piece whose memory nothing but this answer uses, so that it can be given back once it is sent. */
  readonly own: Buffer;
}

const PAYLOAD = Buffer.from('{"payload":');
const LIST = Buffer.from('{"payload":[');
const COMMA = 0x2c;
const OPEN = 0x5b;
const CLOSE = 0x5d;

/** @returns the whole envelope, and the part of it that does not depend on the request: what the ETag covers */
export function envelope(answer: Success): { body: Body; data: readonly Buffer[] } {
  const { payload } = answer;
  const paging = Buffer.from(answer.paging === undefined ? '' : `,"paging":${JSON.stringify(answer.paging)}`);
  const meta = Buffer.from(`,"meta":${JSON.stringify(answer.meta)}}`);
  if (Buffer.isBuffer(payload)) return inOnePiece(Buffer.concat([PAYLOAD, payload, paging, meta]), meta.length);
  if (!(payload instanceof JoinedDocuments)) return inOnePiece(copied(payload, paging, meta), meta.length);
  const end = Buffer.concat([Buffer.of(CLOSE), paging, meta]);
  // Not copied: that would take as long as reading them did.
  return {
    body: { pieces: [LIST, payload.bytes, end], own: payload.bytes },
    data: [LIST, payload.bytes, end.subarray(0, end.length - meta.length)],
  };
}

function inOnePiece(body: Buffer, metaBytes: number): { body: Body; data: readonly Buffer[] } {
  return { body: { pieces: [body], own: body }, data: [body.subarray(0, body.length - metaBytes)] };
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
