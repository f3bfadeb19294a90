import type { Database } from '../../../database/database.js';
import type { UsageSums } from '../../../features/quota/usage-sums.js';
import { UsageSummaries, type SummaryLine } from '../usage-summary.js';
import { formatDayNumber } from '../../../receipts/usage-record.js';
import { OperatorError } from '../../operator-error.js';
import { parseFileName } from './manifest.js';
import { countOf } from '../../../model/counts.js';
import { readArchive } from './read-archive.js';

const BY = ['day', 'key'] as const;

/**
 * Verifies archives, and compares their sums with the daily totals, by day and key.
 * @param days with records, as day numbers, ascending
 * @returns the archived days
 * @throws OperatorError that names the first day that differs
 */
export async function requireArchived(
  database: Database,
  days: readonly number[],
  folders: readonly string[],
): Promise<ReadonlySet<string>> {
  const archived = new Map<string, SummaryLine>();
  const archivedDays = new Set<string>();
  for (const folder of folders) {
    const { manifest, lines } = await readArchive(folder, BY);
    for (const { name } of manifest.files) archivedDays.add(parseFileName(name));
    for (const line of lines) archived.set(line.group.join(' '), line);
  }
  const wanted = days.map(formatDayNumber);
  const missing = wanted.find((day) => !archivedDays.has(day));
  if (missing !== undefined) throw mismatch(`${missing} is in none of the archives: name the archive of its month too`);

  const dates = new Set(wanted);
  const isWanted = ({ group: [day = ''] }: SummaryLine) => dates.has(day);
  const period = { from: days[0] ?? 0, to: days.at(-1) ?? 0 };
  const billed = (await new UsageSummaries(database).sum(period, BY)).filter(isWanted);
  for (const line of billed) {
    const name = line.group.join(' ');
    requireSame(line, archived.get(name));
    archived.delete(name);
  }
  const [surplus] = [...archived.values()].filter(isWanted);
  if (surplus !== undefined) requireSame({ ...NOTHING, group: surplus.group }, surplus);
  return archivedDays;
}

const NOTHING: UsageSums = { requests: 0, quota_units: 0, credits: 0 };

function requireSame(billed: SummaryLine, archived: UsageSums = NOTHING): void {
  const [day = '', key = ''] = billed.group;
  const [expected, found] = [formatSums(billed), formatSums(archived)];
  if (expected === found) return;
  const owner = key === '' ? 'requests without a valid key' : key;
  throw mismatch(
    `on ${day} ${owner} came to ${expected}, but the archive has ${found}: archive the month to a new folder`,
  );
}

const formatSums = ({ requests, quota_units, credits }: UsageSums): string =>
  `${countOf(requests, 'request')}, ${countOf(quota_units, 'unit')} and ${countOf(credits, 'credit')}`;

const mismatch = (reason: string): OperatorError => new OperatorError('failed', `${reason}; nothing was deleted`);
