/** Where a list stands; `has_more` only where the endpoint documents it. */
export interface Paging {
  readonly limit: number;
  readonly next_cursor: string | null;
  readonly has_more?: boolean;
}

/** A successful answer. Documents are the stored JSON, passed through as they are. */
export interface Success {
  /** One document, or several that are answered as a list. */
  readonly payload: string | readonly string[];
  readonly paging?: Paging;
  readonly meta: Readonly<Record<string, unknown>>;
  /** Pieces of data in the payload: what credits are counted by. */
  readonly itemsReturned: number;
}

/** @returns the part of the envelope that does not depend on the request (what the ETag covers), and `meta` */
export function envelope({ payload, paging, meta }: Success): { data: string; meta: string } {
  const document = typeof payload === 'string' ? payload : `[${payload.join(',')}]`;
  const page = paging === undefined ? '' : `,"paging":${JSON.stringify(paging)}`;
  return { data: `{"payload":${document}${page}`, meta: `,"meta":${JSON.stringify(meta)}}` };
}
