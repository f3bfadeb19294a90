import { notFound } from '../errors/api-error.js';
import type { Cost } from '../../receipts/prices.js';
import type { NotFoundCode } from '../errors/error-codes.js';
import type { MetaMember } from './endpoint-rules.js';

/** Position in a list. Only some endpoints have `has_more`. */
export interface Paging {
  readonly limit: number;
  readonly next_cursor: string | null;
  readonly has_more?: boolean;
}

/** Shorter form of a page, for a key whose month allowance has not enough left for the whole page. */
export interface ShorterPage {
  /** Number of documents that stay. */
  readonly documentCount: number;
  readonly itemsReturned: number;
  readonly cost: Cost;
  readonly createPaging: () => Paging;
}

/** Result of a handler. Documents are the bytes of stored JSON, passed through unchanged. */
export interface Answer {
  /** One document, or the documents of a list. */
  readonly data: Buffer | readonly Buffer[];
  readonly paging?: Paging;
  /** Members of `meta` that do not come from the request. */
  readonly meta?: Readonly<Partial<Record<MetaMember, unknown>>>;
  /** Members of `meta` that the request added with `include`. */
  readonly included?: Readonly<Partial<Record<MetaMember, unknown>>>;
  /** Items that credits are charged for. */
  readonly itemsReturned: number;
  /** Cost, if records have different prices; by default the price of the operation. */
  readonly cost?: Cost;
  /** Shorter forms of a page, longest first. */
  readonly shorter?: readonly ShorterPage[];
  /** Frees the memory of the documents. Called once they are copied into the envelope, so not for pages with shorter forms. */
  readonly free?: () => void;
  /** 200 by default. */
  readonly status?: number;
  /** Additional headers: alternating names and values. */
  readonly headers?: readonly string[];
}

/** Answers a look-up. @throws ApiError 404 with the code `missing` if there is no document */
export function found(document: Buffer | null, missing: NotFoundCode): Answer {
  if (document === null) throw notFound(missing);
  return { data: document, itemsReturned: 1 };
}

export function computed(data: unknown, itemsReturned: number, meta: Answer['meta'] = {}): Answer {
  return { data: Buffer.from(JSON.stringify(data)), meta, itemsReturned };
}

export function listed(documents: readonly Buffer[], paging: Paging, meta: Answer['meta'] = {}): Answer {
  return { data: documents, paging, meta, itemsReturned: documents.length };
}

/** Answers a batch. @param missing the IDs without a document, in the order of the request */
export function foundAmong(documents: readonly Buffer[], missing: readonly string[]): Answer {
  return { data: documents, meta: { missing_ids: missing }, itemsReturned: documents.length };
}
