import type { Writer } from '../../database/database.js';
import { ObservationEntity } from '../../database/observation.entity.js';
import { platformCode, type Platform } from '../../model/platforms.js';

/** Kinds with observations, and the first scope of each. */
const SCOPES = { profiles: 0, content: 10, games: 20 } as const;

export type ObservedKind = keyof typeof SCOPES;

/** Key of a record's observations. */
export type ObservationKey = Pick<ObservationEntity, 'scope' | 'id'>;

export const OBSERVATION_KEY = ['scope', 'id'] as const;

/** Returns the scope of a kind and platform in the observations table. Stored rows use scopes, so they never change. */
export const observationScope = (kind: ObservedKind, platform: Platform | number): number =>
  SCOPES[kind] + (kind === 'games' ? 0 : typeof platform === 'number' ? platform : platformCode(platform));

/** Returns whether any record has observations. Most installations have none, and can skip removing them. */
export function hasAnyObservation(writer: Writer): Promise<boolean> {
  return writer.has(writer.list({ entity: ObservationEntity, filters: [], keys: OBSERVATION_KEY, columns: [] }));
}

export function removeObservations(writer: Writer, keys: readonly ObservationKey[]): Promise<number> {
  return writer.remove(ObservationEntity, OBSERVATION_KEY, keys);
}
