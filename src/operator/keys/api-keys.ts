import { randomBytes } from 'node:crypto';
import type { Repository } from 'typeorm';
import type { Database } from '../../database/database.js';
import { ApiKeyEntity } from '../../features/auth/api-key.entity.js';
import type { KeyFormat } from '../../features/auth/key-format.js';

/** A new key. Its text is shown once, and only its hash is stored. */
export interface IssuedKey {
  readonly id: string;
  readonly name: string;
  readonly key: string;
  readonly rate_limit: number | null;
}

/** A key as operators see it, without its hash. */
export type KeyDescription = Omit<ApiKeyEntity, 'hash'>;

/** The key does not exist, or was revoked. */
export class KeyNotFoundError extends Error {}

/** Issues, changes and revokes keys. */
export class ApiKeys {
  readonly #keys: Repository<ApiKeyEntity>;

  constructor(
    private readonly database: Database,
    private readonly format: KeyFormat,
    private readonly now: () => number,
  ) {
    this.#keys = database.dataSource.getRepository(ApiKeyEntity);
  }

  /** Creates a key. @param rateLimit requests per minute; null: the default */
  async create(name: string, rateLimit: number | null): Promise<IssuedKey> {
    const { key, keyHash } = this.format.create();
    const id = `key_${randomBytes(8).toString('hex')}`;
    const row = {
      id,
      name,
      hash: keyHash,
      rate_limit: rateLimit,
      created_at: this.now(),
      rotated_at: null,
      revoked_at: null,
      policy: null,
      customer: null,
      month_units: null,
      month_credits: null,
      expires_at: null,
      is_test: 0,
    };
    await this.database.retryOnConflict(() => this.#keys.insert(row));
    return { id, name, key, rate_limit: rateLimit };
  }

  /** Lists all keys, oldest first, including revoked ones. */
  async list(): Promise<KeyDescription[]> {
    const keys = await this.#keys.find({ order: { created_at: 'ASC', id: 'ASC' } });
    return keys.map(({ hash: _hash, ...description }) => description);
  }

  /** Replaces the text of a key; the old text is rejected from this moment. @throws KeyNotFoundError */
  async rotate(id: string): Promise<IssuedKey> {
    const { name, rate_limit } = await this.#requireValid(id);
    const { key, keyHash } = this.format.create();
    await this.#update(id, { hash: keyHash, rotated_at: this.now() });
    return { id, name, key, rate_limit };
  }

  /** Revokes a key permanently. @throws KeyNotFoundError */
  async revoke(id: string): Promise<void> {
    await this.#requireValid(id);
    await this.#update(id, { revoked_at: this.now() });
  }

  /** Sets the requests per minute of a key. @throws KeyNotFoundError */
  async setRateLimit(id: string, rateLimit: number): Promise<void> {
    await this.#requireValid(id);
    await this.#update(id, { rate_limit: rateLimit });
  }

  /** Sets the field policy of a key, from the next request on. @throws KeyNotFoundError */
  async setPolicy(id: string, policy: string | null): Promise<void> {
    await this.#requireValid(id);
    await this.#update(id, { policy });
  }

  async #update(id: string, changes: Partial<ApiKeyEntity>): Promise<void> {
    await this.database.retryOnConflict(() => this.#keys.update({ id }, changes));
  }

  async #requireValid(id: string): Promise<ApiKeyEntity> {
    const key = await this.#keys.findOneBy({ id });
    if (key === null) throw new KeyNotFoundError(`there is no key ${id}: "creator-data keys list" shows all`);
    if (key.revoked_at !== null)
      throw new KeyNotFoundError(`key ${id} is revoked: create a new one with "keys create"`);
    return key;
  }
}
