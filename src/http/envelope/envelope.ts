import type { Answer } from './answer.js';

/** The bytes of a successful answer. */
export interface Envelope {
  readonly body: Buffer;
  /** The part that does not depend on the request: all but `meta`. */
  readonly data: Buffer;
}

const PAYLOAD = Buffer.from('{"payload":');
const OPEN = Buffer.from('[');
const COMMA = Buffer.from(',');
const CLOSE = Buffer.from(']');

/** Stays bytes from the store to the socket: as text, a list costs twice as much, most of it in collecting garbage. */
export function envelope(
  { data: documents, paging }: Pick<Answer, 'data' | 'paging'>,
  meta: Readonly<Record<string, unknown>>,
): Envelope {
  const page = paging === undefined ? '' : `,"paging":${JSON.stringify(paging)}`;
  const rest = `,"meta":${JSON.stringify(meta)}}`;
  const payload = Buffer.isBuffer(documents) ? [documents] : [OPEN, ...separated(documents), CLOSE];
  const body = Buffer.concat([PAYLOAD, ...payload, Buffer.from(page + rest)]);
  return { body, data: body.subarray(0, body.length - Buffer.byteLength(rest)) };
}

function separated(documents: readonly Buffer[]): Buffer[] {
  return documents.flatMap((document, index) => (index === 0 ? [document] : [COMMA, document]));
}
