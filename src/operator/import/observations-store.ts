import * as z from 'zod';
import { ContentEntity } from '../../features/content/content.entity.js';
import { GameEntity } from '../../features/games/game.entity.js';
import { ProfileEntity } from '../../features/profiles/profile.entity.js';
import type { Reader } from '../../database/database.js';
import { ObservationEntity } from '../../database/observation.entity.js';
import type { Stored } from '../../database/statements.js';
import { platformCode, PLATFORMS } from '../../model/platforms.js';
import { dateTime, id, integer, nullable, number, oneOf, shape, text } from '../../model/scalars.js';
import { OBSERVED_KINDS, observationScope, listObservationScopes } from './observations.js';
import { joinKey, NO_RELATED_ROWS, rowsOf, type RecordStore } from './record-store.js';

/** Schema of the stored document: member names by time, and snapshots of a stream (see `ingest/observation-state.ts`). */
const MEMBERS = 'must be an array of [time, [member, ...]]';
const SNAPSHOT = 'must be [time, viewers] or [time, viewers, game, name]';
const stateSchema = shape({
  members: z.array(z.tuple([integer, z.array(text, MEMBERS)], MEMBERS), MEMBERS),
  snapshots: z
    .array(
      z.union([z.tuple([integer, number]), z.tuple([integer, number, text, z.nullable(text)])], SNAPSHOT),
      `must be an array, each element ${SNAPSHOT}`,
    )
    .optional(),
});

/** Schema of a line of observations. Games belong to no platform. */
export const observationLineSchema = shape({
  kind: oneOf(OBSERVED_KINDS),
  platform_id: nullable(oneOf(PLATFORMS)),
  id,
  observed_at: dateTime,
  observations: stateSchema,
}).check((context) => {
  const { kind, platform_id } = context.value;
  if ((kind === 'games') === (platform_id === null)) return;
  const message = kind === 'games' ? 'must be null for games' : 'is missing';
  context.issues.push({ code: 'custom', input: platform_id, path: ['platform_id'], message });
});

export type ObservationLine = z.output<typeof observationLineSchema>;

type ObservationRow = Stored<ObservationEntity>;

/** Reason for rejecting observations that nothing could use. */
const NO_RECORD = 'no such record is stored: import its record first';

/** Store of observations. They belong to a stored record, so import records first. */
export const observationsStore: RecordStore<ObservationLine, ObservationRow, never> = {
  prepare: (line) => ({
    row: {
      scope: line.platform_id === null ? observationScope('games', 0) : observationScope(line.kind, line.platform_id),
      id: line.id,
      observed_at: Date.parse(line.observed_at),
      document: JSON.stringify(line.observations),
    },
    related: NO_RELATED_ROWS,
  }),
  identityOf: ({ scope, id: recordId }) => joinKey(scope, recordId),
  creatorsOf: () => [],
  findProblems: async (reader, rows) => {
    const stored = new Set<string>();
    for (const { scope, kind, platform } of listObservationScopes()) {
      const ids = rows.filter((row) => row.scope === scope).map((row) => row.id);
      const code = platform === null ? null : platformCode(platform);
      if (ids.length > 0) for (const each of await findIds(reader, kind, code, ids)) stored.add(joinKey(scope, each));
    }
    return rows.map((row) => (stored.has(joinKey(row.scope, row.id)) ? null : NO_RECORD));
  },
  write: (writer, records) => writer.upsert(ObservationEntity, rowsOf(records)),
};

/** Returns which of these records are stored. */
async function findIds(
  reader: Reader,
  kind: ObservationLine['kind'],
  platform: number | null,
  ids: readonly string[],
): Promise<string[]> {
  if (kind === 'profiles') {
    const profiles = reader.lookup({ entity: ProfileEntity, group: 'platform', id: 'id', columns: [] });
    return (await reader.findMany(profiles, platform, ids)).map((row) => row.id);
  }
  if (kind === 'content') {
    const items = reader.lookup({ entity: ContentEntity, group: 'platform', id: 'content_id', columns: [] });
    return (await reader.findMany(items, platform, ids)).map((row) => row.content_id);
  }
  const games = reader.lookup({ entity: GameEntity, group: null, id: 'id', columns: [] });
  return (await reader.findMany(games, null, ids)).map((row) => row.id);
}
