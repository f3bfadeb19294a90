import type { Logger } from 'pino';
import { StoreUnavailableError } from '../database/database.js';
import type { ReachedThreshold } from './allowance-writer.js';
import type { UsageStore } from './usage-store.js';

/** Logs that keys reach thresholds of their month allowances: once per key, month and threshold over all processes. */
export class AllowanceWarnings {
  constructor(
    private readonly store: Pick<UsageStore, 'claimWarning'>,
    private readonly logger: Pick<Logger, 'warn' | 'error'>,
  ) {}

  /** Does not wait, because requests need no answer from it. */
  warn(reached: readonly ReachedThreshold[]): void {
    for (const threshold of reached) void this.#warn(threshold);
  }

  async #warn(reached: ReachedThreshold): Promise<void> {
    try {
      if (await this.store.claimWarning(reached, reached.percent)) this.logger.warn(describe(reached), MESSAGE);
    } catch (error) {
      // The next request of the key tries again; the recorder logs the outage.
      if (!(error instanceof StoreUnavailableError)) this.logger.error({ err: error }, 'a warning could not be stored');
    }
  }
}

const MESSAGE = 'a key reached a threshold of its month allowance';

const describe = ({ keyId, month, percent, used, allowance }: ReachedThreshold): object => ({
  key_id: keyId,
  month: `${Math.floor(month / 100)}-${String(month % 100).padStart(2, '0')}`,
  percent,
  ...(allowance.monthUnits === null ? {} : { quota_units: used.quotaUnits, quota_units_limit: allowance.monthUnits }),
  ...(allowance.monthCredits === null ? {} : { credits: used.credits, credits_limit: allowance.monthCredits }),
});
