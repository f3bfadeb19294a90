import { randomBytes } from 'node:crypto';
import type { Repository } from 'typeorm';
import type { Database } from '../../database/database.js';
import { ApiKeyEntity } from '../../features/auth/api-key.entity.js';
import type { KeyFormat } from '../../features/auth/key-format.js';

/** A key that was just made: the only moment at which its text exists outside its owner's hands. */
export interface IssuedKey {
  readonly id: string;
  readonly name: string;
  readonly key: string;
  readonly rate_limit: number | null;
}

/** What an operator may see of a key. */
export type KeyDescription = Omit<ApiKeyEntity, 'hash'>;

/** There is no such key, or it was revoked. */
export class NoSuchKeyError extends Error {}

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
    };
    await this.database.again(() => this.#keys.insert(row));
    return { id, name, key, rate_limit: rateLimit };
  }

  /** All keys, revoked ones included, oldest first. */
  async list(): Promise<KeyDescription[]> {
    const keys = await this.#keys.find({ order: { created_at: 'ASC', id: 'ASC' } });
    return keys.map(({ hash: _secret, ...description }) => description);
  }

  /** Gives a key a new text; the old one is refused from this moment. @throws Error if there is no such valid key */
  async rotate(id: string): Promise<IssuedKey> {
    const { name, rate_limit } = await this.#valid(id);
    const { key, keyHash } = this.format.create();
    await this.#update(id, { hash: keyHash, rotated_at: this.now() });
    return { id, name, key, rate_limit };
  }

  /** Refuses a key for good. @throws Error if there is no such valid key */
  async revoke(id: string): Promise<void> {
    await this.#valid(id);
    await this.#update(id, { revoked_at: this.now() });
  }

  /** Gives a key an allowance of its own. @throws Error if there is no such valid key */
  async limit(id: string, rateLimit: number): Promise<void> {
    await this.#valid(id);
    await this.#update(id, { rate_limit: rateLimit });
  }

  /** Hides members from a key, from the next request on. @throws Error if there is no such valid key */
  async hide(id: string, policy: string | null): Promise<void> {
    await this.#valid(id);
    await this.#update(id, { policy });
  }

  async #update(id: string, changes: Partial<ApiKeyEntity>): Promise<void> {
    await this.database.again(() => this.#keys.update({ id }, changes));
  }

  async #valid(id: string): Promise<ApiKeyEntity> {
    const key = await this.#keys.findOneBy({ id });
    if (key === null) throw new NoSuchKeyError(`there is no key ${id}: "creator-data keys list" shows all`);
    if (key.revoked_at !== null) throw new NoSuchKeyError(`key ${id} is revoked: make a new one with "keys create"`);
    return key;
  }
}
