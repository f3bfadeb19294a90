import type { Command } from 'commander';
import { ApiKeys, type KeyDescription } from './keys/api-keys.js';
import { installationSecret } from '../database/installation-secret.js';
import { KeyFormat } from '../features/auth/key-format.js';
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
  'PER MINUTE',
  'LAST USED',
  'REQUESTS',
  'UNITS',
  'CREDITS',
  'CREATED',
  'STATE',
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
        async ({ database, output }) => {
          const list = await listKeys(database, Date.now());
          output.printResult(list.map(toJson), formatTable(HEADINGS, list.map(toRow)));
          return DONE;
        },
        'existing',
      ),
    );
  addExamples(command, 'keys list', 'keys list --json');
}

async function listKeys(database: Database, now: number): Promise<ListedKey[]> {
  const list = await new ApiKeys(database, new KeyFormat(await installationSecret(database)), () => now).list();
  const summaries = new UsageSummaries(database);
  const lastUsed = await summaries.findLastUsed(list.map(({ id }) => id));
  const today = toDayNumber(now);
  const month = await summaries.sum({ from: today - (today % 100) + 1, to: today }, ['key']);
  const usageByKey = new Map(month.map(({ group: [id = ''], ...sums }) => [id, sums]));
  return list.map((key) => ({
    ...key,
    lastUsed: lastUsed.get(key.id) ?? null,
    thisMonth: usageByKey.get(key.id) ?? sumUsage([]),
  }));
}

const formatInstant = (ms: number | null): string | null => (ms === null ? null : new Date(Number(ms)).toISOString());

const toJson = ({ policy, lastUsed, thisMonth, ...key }: ListedKey) => ({
  ...key,
  created_at: formatInstant(key.created_at),
  rotated_at: formatInstant(key.rotated_at),
  revoked_at: formatInstant(key.revoked_at),
  hidden_members: [...(hiddenMembers(policy) ?? [])],
  last_used: lastUsed,
  this_month: thisMonth,
});

const formatDay = (ms: number | null): string => formatInstant(ms)?.slice(0, 10) ?? '';

const toRow = (key: ListedKey): (string | number)[] => [
  key.id,
  key.name,
  key.rate_limit === null ? 'default' : String(key.rate_limit),
  key.lastUsed ?? 'never',
  key.thisMonth.requests,
  key.thisMonth.quota_units,
  key.thisMonth.credits,
  formatDay(key.created_at),
  key.revoked_at !== null
    ? `revoked ${formatDay(key.revoked_at)}`
    : key.rotated_at !== null
      ? `rotated ${formatDay(key.rotated_at)}`
      : 'valid',
  key.policy ?? 'none',
];
