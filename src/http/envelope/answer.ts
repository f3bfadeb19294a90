import { notFound } from '../api-error.js';
import type { MetaMember } from './endpoint-rules.js';

/** Where a list stands; `has_more` only where the endpoint documents it. */
export interface Paging {
  readonly limit: number;
  readonly next_cursor: string | null;
  readonly has_more?: boolean;
}

/** What a controller method returns. Documents are the bytes of stored JSON, passed through as they are. */
export interface Answer {
  /** One document, or several that are answered as a list. */
  readonly data: Buffer | readonly Buffer[];
  readonly paging?: Paging;
  /** Members of `meta` that the request does not tell. */
  readonly meta?: Readonly<Partial<Record<MetaMember, unknown>>>;
  /** Pieces of data: what credits are counted by. */
  readonly itemsReturned: number;
  /** 200, unless said otherwise. */
  readonly status?: number;
  /** Headers of its own, names and values in turn. */
  readonly headers?: readonly string[];
}

/** The answer of a look-up. @throws ApiError 404 with `missing` where there is no document */
export function found(document: Buffer | null, missing: string): Answer {
  if (document === null) throw notFound(missing);
  return { data: document, itemsReturned: 1 };
}

/** The answer of data that is not stored as JSON. */
export function computed(data: unknown, itemsReturned: number, meta: Answer['meta'] = {}): Answer {
  return { data: Buffer.from(JSON.stringify(data)), meta, itemsReturned };
}

/** The answer of a list. */
export function listed(documents: readonly Buffer[], paging: Paging, meta: Answer['meta'] = {}): Answer {
  return { data: documents, paging, meta, itemsReturned: documents.length };
}

/** The answer of a batch. @param missing the IDs without a document, in the order of the request */
export function foundAmong(documents: readonly Buffer[], missing: readonly string[]): Answer {
  return { data: documents, meta: { missing_ids: missing }, itemsReturned: documents.length };
}
