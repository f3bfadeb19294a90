import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../model/config.js';
import { hiddenMembers } from '../../model/field-policy.js';
import { Database } from '../../database/database.js';
import { RecordLoader } from '../../database/record-loader.js';
import type { Caller } from '../../http/request-context.js';
import { ApiKeyEntity } from './api-key.entity.js';

/** Finds the caller of a key in the primary database. Concurrent look-ups share a query, and nothing is cached. */
@Injectable()
export class KeyVerifier {
  readonly #keys: RecordLoader<ApiKeyEntity, 'hash', 'id' | 'rate_limit' | 'revoked_at' | 'policy'>;

  constructor(
    database: Database,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    this.#keys = new RecordLoader(
      database,
      { entity: ApiKeyEntity, group: null, id: 'hash', columns: ['id', 'rate_limit', 'revoked_at', 'policy'] },
      { source: 'primary' },
    );
  }

  /** Finds the caller by the hash of the key. @returns null for a key that is unknown, replaced or revoked */
  async findCaller(keyHash: string): Promise<Caller | null> {
    const key = await this.#keys.find(null, keyHash);
    if (key === null || key.revoked_at !== null) return null;
    return {
      keyId: key.id,
      rateLimit: key.rate_limit ?? this.config.rateLimitPerMinute,
      hiddenMembers: hiddenMembers(key.policy),
    };
  }
}
