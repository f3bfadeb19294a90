import type { Command } from 'commander';
import { ApiKeys, type KeyDescription } from './keys/api-keys.js';
import { installationSecret } from '../database/installation-secret.js';
import { KeyFormat } from '../features/auth/key-format.js';
import { sumUsage, type UsageSums } from '../features/quota/usage-report.js';
import { UsageSummaries } from './usage/usage-summary.js';
import { hiddenMembers } from '../model/field-policy.js';
import { dayNumber } from '../receipts/usage-record.js';
import type { Database } from '../database/database.js';
import type { RunWith } from './command.js';
import { withExamples } from './help.js';
import { DONE } from './output.js';
import { table } from './table.js';

/** A key, and what it was used for. */
interface Listed extends KeyDescription {
  /** UTC day, null if it never was. */
  readonly lastUsed: string | null;
  readonly thisMonth: UsageSums;
}

const HEAD = ['ID', 'NAME', 'PER MINUTE', 'LAST USED', 'REQUESTS', 'UNITS', 'CREDITS', 'CREATED', 'STATE', 'HIDDEN'];

export function addListCommand(keys: Command, run: RunWith): void {
  const command = keys
    .command('list')
    .description('Lists all keys, revoked ones too, with the day of their last use and the cost of this month (UTC)')
    .option('--json', 'machine-readable result')
    .action((_options: unknown, command: Command) =>
      run(
        command,
        async ({ database, output }) => {
          const list = await listKeys(database, Date.now());
          output.result(list.map(asJson), table(HEAD, list.map(asRow)));
          return DONE;
        },
        'existing',
      ),
    );
  withExamples(command, 'keys list', 'keys list --json');
}

async function listKeys(database: Database, now: number): Promise<Listed[]> {
  const list = await new ApiKeys(database, new KeyFormat(await installationSecret(database)), () => now).list();
  const reports = new UsageSummaries(database);
  const lastUsed = await reports.lastUsed(list.map(({ id }) => id));
  const today = dayNumber(now);
  const month = await reports.summary({ from: today - (today % 100) + 1, to: today }, ['key']);
  const costs = new Map(month.map(({ group: [id = ''], ...sums }) => [id, sums]));
  return list.map((key) => ({
    ...key,
    lastUsed: lastUsed.get(key.id) ?? null,
    thisMonth: costs.get(key.id) ?? sumUsage([]),
  }));
}

const instant = (ms: number | null): string | null => (ms === null ? null : new Date(Number(ms)).toISOString());

const asJson = ({ policy: kept, lastUsed, thisMonth, ...key }: Listed) => ({
  ...key,
  created_at: instant(key.created_at),
  rotated_at: instant(key.rotated_at),
  revoked_at: instant(key.revoked_at),
  hidden_members: [...(hiddenMembers(kept) ?? [])],
  last_used: lastUsed,
  this_month: thisMonth,
});

const day = (ms: number | null): string => instant(ms)?.slice(0, 10) ?? '';

const asRow = (key: Listed): (string | number)[] => [
  key.id,
  key.name,
  key.rate_limit === null ? 'default' : String(key.rate_limit),
  key.lastUsed ?? 'never',
  key.thisMonth.requests,
  key.thisMonth.quota_units,
  key.thisMonth.credits,
  day(key.created_at),
  key.revoked_at !== null
    ? `revoked ${day(key.revoked_at)}`
    : key.rotated_at !== null
      ? `rotated ${day(key.rotated_at)}`
      : 'valid',
  key.policy ?? 'none',
];
