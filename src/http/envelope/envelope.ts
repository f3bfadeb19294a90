import type { Answer } from './answer.js';

/**
 * The envelope of a successful answer.
 * @returns `data`, the part that does not depend on the request, and the whole `body`
 */
export function envelope(
  { data: documents, paging }: Pick<Answer, 'data' | 'paging'>,
  meta: Readonly<Record<string, unknown>>,
): { data: string; body: string } {
  const payload = typeof documents === 'string' ? documents : `[${documents.join(',')}]`;
  const page = paging === undefined ? '' : `,"paging":${JSON.stringify(paging)}`;
  const data = `{"payload":${payload}${page}`;
  return { data, body: `${data},"meta":${JSON.stringify(meta)}}` };
}
