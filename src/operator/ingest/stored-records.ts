import type { Reader } from '../../database/database.js';
import { ObservationEntity } from '../../database/observation.entity.js';
import { ContentEntity } from '../../features/content/content.entity.js';
import { GameEntity } from '../../features/games/game.entity.js';
import { foldHandle, stripAt } from '../../features/profiles/handle.js';
import { ProfileEntity } from '../../features/profiles/profile.entity.js';
import { platformCode, type Platform } from '../../model/platforms.js';
import type { AssembledRecord, AssembledKind } from '../../sources/assemble/assembly.js';
import { observationScope } from '../import/observations.js';
import type { StoredRecord } from './merge.js';
import { parseState, UNOBSERVED, type ObservationState } from './observation-state.js';

interface StoredDocument {
  readonly id: string;
  readonly document: Buffer;
}

/** Finds the stored versions of records of one kind and platform, by ID. */
export async function findStoredRecords(
  reader: Reader,
  kind: AssembledKind,
  platform: Platform,
  records: readonly AssembledRecord[],
): Promise<Map<string, StoredRecord>> {
  const ids = records.map(({ id }) => id);
  const [documents, states] = await Promise.all([
    findDocuments(reader, kind, platform, ids),
    findStates(reader, observationScope(kind, platform), ids),
  ]);
  return new Map(
    documents.map(({ id, document }) => [
      id,
      {
        document: JSON.parse(String(document)) as Record<string, unknown>,
        state: states.get(id) ?? UNOBSERVED,
      },
    ]),
  );
}

async function findDocuments(
  reader: Reader,
  kind: AssembledKind,
  platform: Platform,
  ids: readonly string[],
): Promise<StoredDocument[]> {
  const code = platformCode(platform);
  const columns = ['document'] as const;
  if (kind === 'profiles') {
    return reader.findMany(reader.lookup({ entity: ProfileEntity, group: 'platform', id: 'id', columns }), code, ids);
  }
  if (kind === 'games') {
    return reader.findMany(reader.lookup({ entity: GameEntity, group: null, id: 'id', columns }), null, ids);
  }
  const byId = reader.lookup({ entity: ContentEntity, group: 'platform', id: 'content_id', columns });
  const items = await reader.findMany(byId, code, ids);
  return items.map(({ content_id, document }) => ({ id: content_id, document }));
}

async function findStates(
  reader: Reader,
  scope: number,
  ids: readonly string[],
): Promise<Map<string, ObservationState>> {
  const byId = reader.lookup({ entity: ObservationEntity, group: 'scope', id: 'id', columns: ['document'] });
  const rows = await reader.findMany(byId, scope, ids);
  return new Map(rows.map(({ id, document }) => [id, parseState(document)]));
}

/** Finds the stored profiles with these handles; of several profiles, the lowest ID. @returns IDs by handle as given */
export async function findHandleOwners(
  reader: Reader,
  platform: Platform,
  handles: readonly string[],
): Promise<Map<string, string>> {
  if (handles.length === 0) return new Map();
  const byHandle = reader.lookup({ entity: ProfileEntity, group: 'platform', id: 'handle', columns: ['id'] });
  const folded = [...new Set(handles.map(fold))];
  const ids = new Map<string, string>();
  for (const { handle, id } of await reader.findMany(byHandle, platformCode(platform), folded)) {
    const current = handle === null ? undefined : ids.get(String(handle));
    if (handle !== null && (current === undefined || id < current)) ids.set(String(handle), id);
  }
  return new Map(
    handles.flatMap((handle) => {
      const id = ids.get(fold(handle));
      return id === undefined ? [] : [[handle, id] as const];
    }),
  );
}

const fold = (handle: string): string => foldHandle(stripAt(handle));
