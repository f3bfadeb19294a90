import type { Writer } from '../../database/database.js';
import { ObservationEntity } from '../../database/observation.entity.js';
import { platformCode, PLATFORMS, type Platform } from '../../model/platforms.js';

/** Kinds with observations. */
export const OBSERVED_KINDS = ['profiles', 'content', 'games'] as const;

export type ObservedKind = (typeof OBSERVED_KINDS)[number];

/** The first scope of each kind. */
const SCOPES: Readonly<Record<ObservedKind, number>> = { profiles: 0, content: 10, games: 20 };

/** Key of a record's observations. */
export type ObservationKey = Pick<ObservationEntity, 'scope' | 'id'>;

export const OBSERVATION_KEY = ['scope', 'id'] as const;

/** Returns the scope of a kind and platform in the observations table. Stored rows use scopes, so they never change. */
export const observationScope = (kind: ObservedKind, platform: Platform | number): number =>
  SCOPES[kind] + (kind === 'games' ? 0 : typeof platform === 'number' ? platform : platformCode(platform));

/** A scope with the kind and platform of its records. */
export interface ObservedRecords {
  readonly scope: number;
  readonly kind: ObservedKind;
  /** Null for games, which belong to no platform. */
  readonly platform: Platform | null;
}

/** Lists all scopes. */
export const listObservationScopes = (): ObservedRecords[] =>
  OBSERVED_KINDS.flatMap((kind): ObservedRecords[] =>
    kind === 'games'
      ? [{ scope: observationScope(kind, 0), kind, platform: null }]
      : PLATFORMS.map((platform) => ({ scope: observationScope(kind, platform), kind, platform })),
  );

/** Returns whether any record has observations. Most installations have none, and can skip removing them. */
export function hasAnyObservation(writer: Writer): Promise<boolean> {
  return writer.has(writer.list({ entity: ObservationEntity, filters: [], keys: OBSERVATION_KEY, columns: [] }));
}

export function removeObservations(writer: Writer, keys: readonly ObservationKey[]): Promise<number> {
  return writer.remove(ObservationEntity, OBSERVATION_KEY, keys);
}
