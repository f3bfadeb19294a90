import type { Answer } from './answer.js';

/** The bytes of a successful answer. */
export interface Envelope {
  readonly body: Buffer;
  /** The part that does not depend on the request: all but `meta`. */
  readonly data: Buffer;
}

/** Bytes rather than text: an answer waits for its record, and collecting garbage would copy text meanwhile. */
export function envelope(
  { data: documents, paging }: Pick<Answer, 'data' | 'paging'>,
  meta: Readonly<Record<string, unknown>>,
): Envelope {
  const payload = typeof documents === 'string' ? documents : `[${documents.join(',')}]`;
  const page = paging === undefined ? '' : `,"paging":${JSON.stringify(paging)}`;
  const rest = `,"meta":${JSON.stringify(meta)}}`;
  const body = Buffer.from(`{"payload":${payload}${page}${rest}`);
  return { body, data: body.subarray(0, body.length - Buffer.byteLength(rest)) };
}
