import { CounterEntity } from './counter.entity.js';
import type { Reader } from './database.js';

/** Reads counters from the primary; one that is not stored is 0. @returns their values, in the order of the names */
export async function readCounters(reader: Reader, ...names: readonly string[]): Promise<number[]> {
  const byName = reader.lookup({ entity: CounterEntity, group: null, id: 'name', columns: ['value'] });
  const rows = await reader.findMany(byName, null, names, { source: 'primary' });
  const values = new Map(rows.map(({ name, value }) => [String(name), value]));
  return names.map((name) => values.get(name) ?? 0);
}
