import type { Row, Writer } from '../../database/database.js';
import type { Prepared } from './record-stores.js';

/** Stores games under a new revision, by which search indexes learn what has changed. */
export async function writeGames(writer: Writer, records: readonly Prepared[]): Promise<void> {
  await writer.run("UPDATE counters SET value = value + 1 WHERE name = 'games_revision'", []);
  const [counter] = await writer.all("SELECT value FROM counters WHERE name = 'games_revision'", []);
  const revision = Number(counter?.[0]);

  const lookup = { table: 'games', group: null, id: 'id', index: 'games_by_id', columns: ['num'] };
  const stored = await writer.findMany(
    lookup,
    null,
    records.map(({ row }) => String(row[0])),
  );
  const numbers = new Map(stored.map(([id, num]) => [String(id), Number(num)]));
  // Known games keep their number: inserting them without one would use up a new number each time.
  const known: Row[] = [];
  const unknown: Row[] = [];
  for (const { row } of records) {
    const num = numbers.get(String(row[0]));
    if (num === undefined) unknown.push([...row, revision]);
    else known.push([...row, revision, num]);
  }
  const columns = ['id', 'name', 'live_platform_id', 'video_platform_id', 'unpopularity', 'document', 'revision'];
  await writer.upsert('games', [...columns, 'num'], ['num'], known);
  await writer.upsert('games', columns, ['id'], unknown);
}
