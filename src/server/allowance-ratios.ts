import { StoreUnavailableError, type Database } from '../database/database.js';
import type { KeysetList } from '../database/keyset.js';
import type { Lookup } from '../database/statements.js';
import { ApiKeyEntity } from '../features/auth/api-key.entity.js';
import { monthOfDay, usedRatio } from '../receipts/allowances.js';
import { NO_COST } from '../receipts/prices.js';
import { toDayNumber } from '../receipts/usage-record.js';
import { KeyMonthEntity } from '../receipts/usage.entities.js';
import type { Labelled } from './duration-metric.js';

const KEYS_PER_PAGE = 1000;

type PlannedKey = Pick<ApiKeyEntity, 'id' | 'month_units' | 'month_credits' | 'revoked_at'>;

/** Reads the used parts of month allowances for the metrics, from the store: other processes have requests of the same keys. */
export class AllowanceRatios {
  readonly #keys: KeysetList<PlannedKey, 'id'>;
  readonly #months: Lookup<Pick<KeyMonthEntity, 'key_id' | 'month' | 'quota_units' | 'credits'>>;

  constructor(private readonly database: Database) {
    this.#keys = database.list({
      entity: ApiKeyEntity,
      filters: [],
      keys: ['id'],
      columns: ['month_units', 'month_credits', 'revoked_at'],
    });
    this.#months = database.usage.lookup({
      entity: KeyMonthEntity,
      group: null,
      id: 'key_id',
      columns: ['month', 'quota_units', 'credits'],
    });
  }

  /** Returns the ratio of each key with an allowance; none while the store is unreachable. @param now milliseconds since 1970 */
  async read(now: number): Promise<Labelled<number>[]> {
    const ratios: Labelled<number>[] = [];
    try {
      for await (const page of this.database.pages(this.#keys, { filters: [], limit: KEYS_PER_PAGE })) {
        ratios.push(...(await this.#readPage(page.filter(hasAllowance), monthOfDay(toDayNumber(now)))));
      }
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) throw error;
      // The gauges of the store report the outage.
      return [];
    }
    return ratios;
  }

  async #readPage(keys: readonly PlannedKey[], month: number): Promise<Labelled<number>[]> {
    if (keys.length === 0) return [];
    const rows = await this.database.usage.findMany(
      this.#months,
      null,
      keys.map(({ id }) => String(id)),
      { source: 'primary' },
    );
    const used = new Map(
      rows
        .filter((row) => row.month === month)
        .map(({ key_id, quota_units, credits }) => [String(key_id), { quotaUnits: quota_units, credits }]),
    );
    return keys.map(({ id, month_units, month_credits }) => {
      const plan = { monthUnits: month_units, monthCredits: month_credits };
      return { labels: { key_id: String(id) }, value: usedRatio(plan, used.get(String(id)) ?? NO_COST) };
    });
  }
}

const hasAllowance = ({ month_units, month_credits, revoked_at }: PlannedKey): boolean =>
  revoked_at === null && (month_units !== null || month_credits !== null);
