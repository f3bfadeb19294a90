import type { DocumentContext } from '../fragment.js';
import type { Findings } from '../reading/findings.js';
import type { Item } from '../reading/responses.js';

/** One call of the API: how its objects are told from others, and what becomes of one. */
export interface KindMapper {
  /** The call's path. */
  readonly path: string;
  isOne(item: Item): boolean;
  map(item: Item, place: string, found: Findings, context: DocumentContext): void;
}
