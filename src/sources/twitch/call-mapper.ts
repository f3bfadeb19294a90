import type { DocumentContext } from '../fragment.js';
import type { JsonObject } from '../json-object.js';
import type { Findings } from '../reading/findings.js';

/** Mapper of one API call. */
export interface CallMapper {
  /** Path of the call. */
  readonly path: string;
  /** Reports whether an object is from this call, by its members. */
  matches(item: JsonObject): boolean;
  map(item: JsonObject, itemPath: string, findings: Findings, context: DocumentContext): void;
}
