import type { Writer } from '../../database/database.js';
import { ObservationEntity } from '../../database/observation.entity.js';
import { platformCode, type Platform } from '../../model/platforms.js';

/** Kinds of records that are observed. */
const KINDS = { profiles: 0, content: 10, games: 20 } as const;

export type ObservedKind = keyof typeof KINDS;

/** A record's place among the observations. */
export type ObservationKey = Pick<ObservationEntity, 'scope' | 'id'>;

export const OBSERVATION_KEY = ['scope', 'id'] as const;

/** The scope of a kind's records on a platform. Stored rows depend on it, so scopes never change. */
export const scopeOf = (kind: ObservedKind, platform: Platform | number): number =>
  KINDS[kind] + (kind === 'games' ? 0 : typeof platform === 'number' ? platform : platformCode(platform));

/** Whether any record has an observation: mostly none has, and then there is none to remove. */
export function isAnythingObserved(writer: Writer): Promise<boolean> {
  return writer.has(writer.list({ entity: ObservationEntity, filters: [], keys: OBSERVATION_KEY, columns: [] }));
}

export function removeObservations(writer: Writer, keys: readonly ObservationKey[]): Promise<number> {
  return writer.remove(ObservationEntity, OBSERVATION_KEY, keys);
}
