import type { Command } from 'commander';
import { customerOf, type KeyDescription } from './keys/api-keys.js';
import { formatAllowance } from './keys/key-text.js';
import { openKeys } from './keys/open-keys.js';
import type { Audit } from './audit/audit.js';
import { sumUsage, type UsageSums } from '../features/quota/usage-sums.js';
import { UsageSummaries } from './usage/usage-summary.js';
import { hiddenMembers } from '../model/field-policy.js';
import { toDayNumber } from '../receipts/usage-record.js';
import type { Database } from '../database/database.js';
import type { CommandRunner } from './command.js';
import { addExamples } from './help.js';
import { DONE } from './output.js';
import { formatTable } from './table.js';

/** A key with its last use and its usage of this month. */
interface ListedKey extends KeyDescription {
  /** UTC day; null if the key was never used. */
  readonly lastUsed: string | null;
  readonly thisMonth: UsageSums;
}

interface Column {
  readonly heading: string;
  readonly format: (key: ListedKey, now: number) => string | number;
  /** Whether a key has something to show; without it, the column is always shown. */
  readonly isUsed?: (key: ListedKey) => boolean;
}

/** Columns of the table. One that no key uses is left out, so that the table fits a terminal. */
const COLUMNS: readonly Column[] = [
  { heading: 'ID', format: ({ id }) => id },
  { heading: 'NAME', format: ({ name }) => name },
  { heading: 'CUSTOMER', format: customerOf, isUsed: (key) => customerOf(key) !== key.name },
  {
    heading: 'PER MINUTE',
    format: ({ rate_limit }) => (rate_limit === null ? 'default' : String(rate_limit)),
  },
  { heading: 'LAST USED', format: ({ lastUsed }) => lastUsed ?? 'never' },
  { heading: 'REQUESTS', format: ({ thisMonth }) => thisMonth.requests },
  { heading: 'UNITS', format: ({ thisMonth }) => thisMonth.quota_units },
  { heading: 'CREDITS', format: ({ thisMonth }) => thisMonth.credits },
  {
    heading: 'MONTH ALLOWANCE',
    format: formatAllowance,
    isUsed: ({ month_units, month_credits }) => month_units !== null || month_credits !== null,
  },
  { heading: 'CREATED', format: ({ created_at }) => formatDay(created_at) },
  {
    heading: 'EXPIRES',
    format: ({ expires_at }) => formatDay(expires_at) || 'never',
    isUsed: ({ expires_at }) => expires_at !== null,
  },
  { heading: 'STATE', format: formatState },
  {
    heading: 'TEST',
    format: ({ is_test }) => (is_test === 0 ? '' : 'test'),
    isUsed: ({ is_test }) => is_test !== 0,
  },
  { heading: 'HIDDEN', format: ({ policy }) => policy ?? 'none', isUsed: ({ policy }) => policy !== null },
];

export function addKeysListCommand(keys: Command, run: CommandRunner): void {
  const command = keys
    .command('list')
    .description(
      'Lists all keys, including revoked ones, with the day of their last use and their usage of this month (UTC)',
    )
    .option('--json', 'machine-readable result')
    .action((_options: unknown, command: Command) =>
      run(
        command,
        async ({ database, audit, output }) => {
          const list = await listKeys(database, audit, Date.now());
          output.printResult(list.map(toJson), formatKeys(list, Date.now()));
          return DONE;
        },
        'existing',
      ),
    );
  addExamples(command, 'keys list', 'keys list --json');
}

async function listKeys(database: Database, audit: Audit, now: number): Promise<ListedKey[]> {
  const list = await (await openKeys(database, audit)).list();
  const summaries = new UsageSummaries(database);
  const lastUsed = await summaries.findLastUsed(list.map(({ id }) => id));
  const today = toDayNumber(now);
  const days = { from: today - (today % 100) + 1, to: today };
  const lines = [...(await summaries.sum(days, ['key']))];
  // Sums leave test keys out, so each is summed by itself.
  for (const { id, is_test } of list) if (is_test !== 0) lines.push(...(await summaries.sum(days, ['key'], [id])));
  const usageByKey = new Map(lines.map(({ group: [id = ''], ...sums }) => [id, sums]));
  return list.map((key) => ({
    ...key,
    lastUsed: lastUsed.get(key.id) ?? null,
    thisMonth: usageByKey.get(key.id) ?? sumUsage([]),
  }));
}

const formatInstant = (ms: number | null): string | null => (ms === null ? null : new Date(Number(ms)).toISOString());

const toJson = ({ policy, lastUsed, thisMonth, is_test, ...key }: ListedKey) => ({
  ...key,
  customer: customerOf(key),
  month_units: toNumber(key.month_units),
  month_credits: toNumber(key.month_credits),
  expires_at: formatInstant(key.expires_at),
  test: is_test !== 0,
  created_at: formatInstant(key.created_at),
  rotated_at: formatInstant(key.rotated_at),
  revoked_at: formatInstant(key.revoked_at),
  hidden_members: [...(hiddenMembers(policy) ?? [])],
  last_used: lastUsed,
  this_month: thisMonth,
});

const formatDay = (ms: number | null): string => formatInstant(ms)?.slice(0, 10) ?? '';

/** TypeORM returns a 64-bit integer of SQLite as a text. */
const toNumber = (value: number | null): number | null => (value === null ? null : Number(value));

function formatKeys(list: readonly ListedKey[], now: number): string[] {
  const columns = COLUMNS.filter(({ isUsed }) => isUsed === undefined || list.some(isUsed));
  return formatTable(
    columns.map(({ heading }) => heading),
    list.map((key) => columns.map(({ format }) => format(key, now))),
  );
}

function formatState({ revoked_at, rotated_at, expires_at }: ListedKey, now: number): string {
  if (revoked_at !== null) return `revoked ${formatDay(revoked_at)}`;
  if (expires_at !== null && expires_at <= now) return 'expired';
  return rotated_at === null ? 'valid' : `rotated ${formatDay(rotated_at)}`;
}
