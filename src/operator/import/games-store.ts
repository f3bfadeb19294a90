import { CounterEntity } from '../../database/counter.entity.js';
import type { Writer } from '../../database/database.js';
import type { Stored } from '../../database/statements.js';
import { GameEntity, deriveGameRow } from '../../features/games/game.entity.js';
import type { GameDetails } from '../../features/games/game.js';
import { observationScope } from './observations.js';
import { NO_RELATED_ROWS, rowsOf, type PreparedRecord, type RecordStore } from './record-store.js';

/** A game row before its number and revision are assigned. */
type StoredGameRow = Omit<Stored<GameEntity>, 'num' | 'revision'>;

export const gamesStore: RecordStore<GameDetails, StoredGameRow, never> = {
  prepare: (game, document = JSON.stringify(game)) => ({
    row: { ...deriveGameRow(game), document },
    related: NO_RELATED_ROWS,
  }),
  identityOf: ({ id }) => id,
  sortKeyOf: ({ id }) => id,
  creatorsOf: () => [],
  observationOf: ({ id }) => ({ scope: observationScope('games', 0), id }),
  write: writeGames,
};

/** Stores games under a new revision. Search indexes read the games whose revision is newer than their own. */
async function writeGames(writer: Writer, records: readonly PreparedRecord<StoredGameRow>[]): Promise<void> {
  const games = rowsOf(records);
  const revision = await nextRevision(writer);
  const byId = writer.lookup({ entity: GameEntity, group: null, id: 'id', columns: ['num'] });
  const ids = games.map(({ id }) => id);
  const numbers = new Map((await writer.findMany(byId, null, ids)).map(({ id, num }) => [id, num]));
  // Existing games keep their number: an insert without one would consume a new number each time.
  const existing = games.flatMap((game) => {
    const num = numbers.get(game.id);
    return num === undefined ? [] : [{ ...game, revision, num }];
  });
  const added = games.filter(({ id }) => !numbers.has(id)).map((game) => ({ ...game, revision }));
  await Promise.all([writer.upsert(GameEntity, existing), writer.upsert(GameEntity, added, { key: ['id'] })]);
}

async function nextRevision(writer: Writer): Promise<number> {
  const name = 'games_revision';
  await writer.upsert(CounterEntity, [{ name, value: 1 }], { add: ['value'] });
  const byName = writer.lookup({ entity: CounterEntity, group: null, id: 'name', columns: ['value'] });
  const [counter] = await writer.findMany(byName, null, [name]);
  return counter?.value ?? 0;
}
