import type { Facet } from './search-query.js';
import type { SegmentValues } from './segment-values.js';
import type { SegmentEntry } from './segments/index-folder.mjs';
import type { Segment } from './segments/segment.mjs';

/** Segment with its replaced and deleted profiles; null for none. */
export interface ReadableSegment {
  readonly entry: SegmentEntry;
  readonly segment: Segment;
  readonly dead: Uint32Array | null;
  /** Values of the facets that were counted. Later views of the segment share them, because segments are immutable. */
  readonly values: Map<Facet, SegmentValues>;
}
