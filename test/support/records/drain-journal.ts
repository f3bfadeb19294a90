import type { OutageJournal } from '../../../src/receipts/outage-journal.js';

/** Removes all entries. @returns the IDs of their groups */
export async function drain(journal: OutageJournal): Promise<string[]> {
  const ids: string[] = [];
  for (let groups = await journal.readOldest(); groups !== null; groups = await journal.readOldest()) {
    ids.push(...groups.map(({ id }) => id));
    await journal.removeOldest();
  }
  return ids;
}
