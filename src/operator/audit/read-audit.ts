import { AuditEntryEntity } from '../../database/audit-entry.entity.js';
import type { Database } from '../../database/database.js';
import type { AuditTarget } from './audit.js';

const ENTRIES_PER_PAGE = 1000;

/** An entry as `audit list` prints it. */
export interface AuditEntry {
  /** ISO 8601 in UTC. */
  readonly time: string;
  readonly os_user: string;
  readonly host: string;
  readonly command: string;
  readonly target: AuditTarget;
  readonly outcome: string;
}

/** Lists the entries of a range of instants, oldest first. Both bounds are inclusive milliseconds since 1970. */
export async function listAuditEntries(database: Database, from: number, to: number): Promise<AuditEntry[]> {
  const list = database.list({
    entity: AuditEntryEntity,
    filters: [],
    keys: ['at', 'id'],
    columns: ['os_user', 'host', 'command', 'target', 'outcome'],
  });
  const entries: AuditEntry[] = [];
  for await (const rows of database.pages(list, { filters: [], from, to, limit: ENTRIES_PER_PAGE })) {
    for (const { at, os_user, host, command, target, outcome } of rows) {
      const time = new Date(at).toISOString();
      entries.push({ time, os_user, host, command, target: JSON.parse(target) as AuditTarget, outcome });
    }
  }
  return entries;
}
