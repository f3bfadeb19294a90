import type { Mapper } from './fragment.js';

/** The readers of all sources. */
export const MAPPERS: readonly Mapper[] = [];
