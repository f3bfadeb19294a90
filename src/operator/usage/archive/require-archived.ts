import type { Database } from '../../../database/database.js';
import type { UsageSums } from '../../../features/quota/usage-report.js';
import { UsageSummaries, type SummaryLine } from '../usage-summary.js';
import { dateOf } from '../../../receipts/usage-record.js';
import { OperatorError } from '../../operator-error.js';
import { dayOfFile } from './manifest.js';
import { readArchive } from './read-archive.js';

const BY = ['day', 'key'] as const;

/**
 * Verifies archives, and holds what they tell of these days against the daily totals, key by key.
 * @param days as `dayNumber` makes them, ascending
 * @throws OperatorError that names the first day whose totals are not those of an archive
 */
export async function requireArchived(
  database: Database,
  days: readonly number[],
  folders: readonly string[],
): Promise<void> {
  const archived = new Map<string, SummaryLine>();
  const archivedDays = new Set<string>();
  for (const folder of folders) {
    const { manifest, lines } = await readArchive(folder, BY);
    for (const { name } of manifest.files) archivedDays.add(dayOfFile(name));
    for (const line of lines) archived.set(line.group.join(' '), line);
  }
  const wanted = days.map(dateOf);
  const missing = wanted.find((day) => !archivedDays.has(day));
  if (missing !== undefined) throw refused(`${missing} is in none of the archives: name the one of its month, too`);

  const dates = new Set(wanted);
  const isWanted = ({ group: [day = ''] }: SummaryLine) => dates.has(day);
  const period = { from: days[0] ?? 0, to: days.at(-1) ?? 0 };
  const billed = (await new UsageSummaries(database).summary(period, BY)).filter(isWanted);
  for (const line of billed) {
    const name = line.group.join(' ');
    requireSame(line, archived.get(name));
    archived.delete(name);
  }
  const [surplus] = [...archived.values()].filter(isWanted);
  if (surplus !== undefined) requireSame({ ...NOTHING, group: surplus.group }, surplus);
}

const NOTHING: UsageSums = { requests: 0, quota_units: 0, credits: 0 };

function requireSame(billed: SummaryLine, archived: UsageSums = NOTHING): void {
  const [day = '', key = ''] = billed.group;
  const [expected, found] = [numbers(billed), numbers(archived)];
  if (expected === found) return;
  const whose = key === '' ? 'requests without a valid key' : key;
  throw refused(
    `on ${day} ${whose} came to ${expected}, but the archive holds ${found}: archive the month into a new folder`,
  );
}

const numbers = ({ requests, quota_units, credits }: UsageSums): string =>
  `${requests} requests, ${quota_units} units and ${credits} credits`;

const refused = (why: string): OperatorError => new OperatorError('failed', `${why}; nothing was deleted`);
