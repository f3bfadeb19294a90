import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../model/clock.js';
import { CONFIG, type Config } from '../../model/config.js';
import { hiddenMembers } from '../../model/field-policy.js';
import { Database } from '../../database/database.js';
import { RecordLoader } from '../../database/record-loader.js';
import type { Caller } from '../../http/request-context.js';
import type { MonthAllowance } from '../../receipts/allowances.js';
import { ApiKeyEntity } from './api-key.entity.js';

const COLUMNS = [
  'id',
  'rate_limit',
  'revoked_at',
  'policy',
  'month_units',
  'month_credits',
  'expires_at',
  'is_test',
] as const;

type StoredKey = Pick<ApiKeyEntity, 'hash' | (typeof COLUMNS)[number]>;

/** Why a key is rejected. An `invalid` one stays so; an `expired` one may get a later date. */
export type KeyRejection = 'invalid' | 'expired';

/** Finds the caller of a key in the primary database. Concurrent look-ups share a query, and nothing is cached. */
@Injectable()
export class KeyVerifier {
  readonly #keys: RecordLoader<ApiKeyEntity, 'hash', (typeof COLUMNS)[number]>;

  constructor(
    database: Database,
    @Inject(CONFIG) private readonly config: Config,
    private readonly clock: Clock,
  ) {
    this.#keys = new RecordLoader(
      database,
      { entity: ApiKeyEntity, group: null, id: 'hash', columns: COLUMNS },
      { source: 'primary' },
    );
  }

  /** Finds the caller by the hash of the key. A key that is unknown, replaced or revoked is `invalid`. */
  async findCaller(keyHash: string): Promise<Caller | KeyRejection> {
    const key = await this.#keys.find(null, keyHash);
    if (key === null || key.revoked_at !== null) return 'invalid';
    if (key.expires_at !== null && key.expires_at <= this.clock.now()) return 'expired';
    return {
      keyId: key.id,
      rateLimit: key.rate_limit ?? this.config.rateLimitPerMinute,
      hiddenMembers: hiddenMembers(key.policy),
      allowance: allowanceOf(key),
      isTest: key.is_test !== 0,
    };
  }
}

const allowanceOf = ({ month_units, month_credits }: StoredKey): MonthAllowance | null =>
  month_units === null && month_credits === null ? null : { monthUnits: month_units, monthCredits: month_credits };
