import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../model/config.js';
import type { Database } from '../../database/database.js';
import { DATABASE } from '../../database/database.token.js';
import { RecordLoader } from '../../database/record-loader.js';
import type { Caller } from '../../http/request-context.js';

/** Tells whose key a hash is, as of now: concurrent questions share one query, and no answer is kept. */
@Injectable()
export class KeyVerifier {
  readonly #keys: RecordLoader;

  constructor(
    @Inject(DATABASE) database: Database,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    const columns = ['id', 'rate_limit', 'revoked_at'];
    const lookup = { table: 'api_keys', group: null, id: 'hash', index: 'api_keys_by_hash', columns };
    this.#keys = new RecordLoader(database, lookup, true);
  }

  /** @returns null for a key that is unknown, replaced or revoked */
  async callerOf(keyHash: string): Promise<Caller | null> {
    const row = await this.#keys.find(null, keyHash);
    if (row === null) return null;
    const [, id, rateLimit, revokedAt] = row;
    if (revokedAt !== null) return null;
    return { keyId: String(id), rateLimit: rateLimit === null ? this.config.rateLimitPerMinute : Number(rateLimit) };
  }
}
