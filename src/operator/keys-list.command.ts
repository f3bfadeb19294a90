import type { Command } from 'commander';
import { customerOf, type KeyDescription } from './keys/api-keys.js';
import { formatPlan } from './keys/key-text.js';
import { openKeys } from './keys/open-keys.js';
import type { Audit } from './audit/audit.js';
import { sumUsage, type UsageSums } from '../features/quota/usage-report.js';
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

const HEADINGS = [
  'ID',
  'NAME',
  'CUSTOMER',
  'PER MINUTE',
  'LAST USED',
  'REQUESTS',
  'UNITS',
  'CREDITS',
  'MONTH ALLOWANCE',
  'CREATED',
  'EXPIRES',
  'STATE',
  'TEST',
  'HIDDEN',
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
          output.printResult(
            list.map(toJson),
            formatTable(
              HEADINGS,
              list.map((key) => toRow(key, Date.now())),
            ),
          );
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
  for (const { id, is_test } of list) if (is_test !== 0) lines.push(...(await summaries.sum(days, ['key'], id)));
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

const toRow = (key: ListedKey, now: number): (string | number)[] => [
  key.id,
  key.name,
  customerOf(key),
  key.rate_limit === null ? 'default' : String(key.rate_limit),
  key.lastUsed ?? 'never',
  key.thisMonth.requests,
  key.thisMonth.quota_units,
  key.thisMonth.credits,
  formatPlan(key),
  formatDay(key.created_at),
  formatDay(key.expires_at) || 'never',
  formatState(key, now),
  key.is_test === 0 ? '' : 'test',
  key.policy ?? 'none',
];

function formatState({ revoked_at, rotated_at, expires_at }: ListedKey, now: number): string {
  if (revoked_at !== null) return `revoked ${formatDay(revoked_at)}`;
  if (expires_at !== null && expires_at <= now) return 'expired';
  return rotated_at === null ? 'valid' : `rotated ${formatDay(rotated_at)}`;
}
