import type { Writer } from '../../database/database.js';
import type { Stored } from '../../database/statements.js';
import { GameEntity, deriveGameRow } from '../../features/games/game.entity.js';
import type { GameDetails } from '../../features/games/game.js';
import { observationScope } from './observations.js';
import type { PreparedRecord } from './prepared-record.js';
import { NO_RELATED_ROWS, rowsOf, type RecordStore } from './record-store.js';
import { VERSION_COLUMNS, type Revision, type Revisions } from './revisions.js';

/** A game row before its number and revision are assigned. */
type StoredGameRow = Omit<Stored<GameEntity>, 'num' | keyof Revision>;

export const gamesStore: RecordStore<GameDetails, StoredGameRow, never> = {
  prepare: (game, document = JSON.stringify(game)) => ({
    row: { ...deriveGameRow(game), document },
    related: NO_RELATED_ROWS,
  }),
  identityOf: ({ id }) => id,
  creatorsOf: () => [],
  observationOf: ({ id }) => ({ scope: observationScope('games', 0), id }),
  write: writeGames,
};

/** Stores changed games under a new revision. Search indexes read the games whose revision is newer than their own. */
async function writeGames(
  writer: Writer,
  records: readonly PreparedRecord<StoredGameRow>[],
  revisions: Revisions,
): Promise<void> {
  const byId = writer.lookup({ entity: GameEntity, group: null, id: 'id', columns: ['num', ...VERSION_COLUMNS] });
  const ids = records.map(({ row }) => row.id);
  const stored = new Map((await writer.findMany(byId, null, ids)).map((game) => [String(game.id), game]));
  const { changed, revision } = await revisions.select('games', records, ({ id }) => stored.get(id));
  const games = rowsOf(changed);
  // Existing games keep their number: an insert without one would consume a new number each time.
  const existing = games.flatMap((game) => {
    const version = stored.get(game.id);
    return version === undefined ? [] : [{ ...game, num: version.num }];
  });
  const added = games.filter(({ id }) => !stored.has(id));
  await Promise.all([
    writer.upsert(GameEntity, existing, { shared: revision }),
    writer.upsert(GameEntity, added, { key: ['id'], shared: revision }),
  ]);
}
