import { randomBytes } from 'node:crypto';
import type { Database, Writer } from '../../database/database.js';
import { ApiKeyEntity } from '../../features/auth/api-key.entity.js';
import type { KeyFormat } from '../../features/auth/key-format.js';
import { KeyMonthEntity } from '../../receipts/usage.entities.js';
import { Audit, type AuditTarget } from '../audit/audit.js';

/** A new key. Its text is shown once, and only its hash is stored. */
export interface IssuedKey {
  readonly id: string;
  readonly name: string;
  readonly key: string;
  readonly rate_limit: number | null;
}

/** A key as operators see it, without its hash. */
export type KeyDescription = Omit<ApiKeyEntity, 'hash'>;

/** What a customer buys with a key; null means no limit, and for `customer` the name of the key. */
export type KeyTerms = Pick<ApiKeyEntity, 'customer' | 'month_units' | 'month_credits' | 'expires_at' | 'is_test'>;

const NO_TERMS: KeyTerms = { customer: null, month_units: null, month_credits: null, expires_at: null, is_test: 0 };

/** Month allowances to change; an absent one stays. */
export type AllowanceChanges = Partial<Pick<KeyTerms, 'month_units' | 'month_credits'>>;

/** The key does not exist, or was revoked. */
export class KeyNotFoundError extends Error {}

/** Reports whether a key has a month allowance. */
export const hasAllowance = ({
  month_units,
  month_credits,
}: Pick<KeyTerms, 'month_units' | 'month_credits'>): boolean => month_units !== null || month_credits !== null;

/** Returns the customer who gets the bill of a key. */
export const customerOf = ({ customer, name }: Pick<ApiKeyEntity, 'customer' | 'name'>): string => customer ?? name;

/** Issues, changes and revokes keys. Each change and its audit entry are one transaction. */
export class ApiKeys {
  readonly #columns: readonly (keyof ApiKeyEntity)[];

  constructor(
    private readonly database: Database,
    private readonly format: KeyFormat,
    private readonly now: () => number,
    private readonly audit = new Audit(database, 'keys'),
  ) {
    const { columns } = database.dataSource.getMetadata(ApiKeyEntity);
    this.#columns = columns.map(({ propertyName }) => propertyName as keyof ApiKeyEntity);
  }

  /** Creates a key. @param rateLimit requests per minute; null: the default */
  async create(name: string, rateLimit: number | null, terms: Partial<KeyTerms> = {}): Promise<IssuedKey> {
    const all = { ...NO_TERMS, ...terms };
    const { key, keyHash } = this.format.create(all.is_test !== 0);
    const id = `key_${randomBytes(8).toString('hex')}`;
    const row: ApiKeyEntity = {
      id,
      name,
      hash: keyHash,
      rate_limit: rateLimit,
      created_at: this.now(),
      rotated_at: null,
      revoked_at: null,
      policy: null,
      ...all,
    };
    await this.database.write(async (writer) => {
      await writer.insert(ApiKeyEntity, [row]);
      await this.audit.add(writer, { key_id: id, ...auditedTerms({ rate_limit: rateLimit, ...terms }) });
    });
    return { id, name, key, rate_limit: rateLimit };
  }

  /** Lists all keys, oldest first, including revoked ones. */
  async list(): Promise<KeyDescription[]> {
    const order = { created_at: 'ASC', id: 'ASC' } as const;
    const keys = await this.database.dataSource.getRepository(ApiKeyEntity).find({ order });
    return keys.map(({ hash: _hash, ...description }) => description);
  }

  /** Replaces the text of a key; the old text is rejected from this moment. @throws KeyNotFoundError */
  async rotate(id: string): Promise<IssuedKey> {
    return this.#change(id, ({ name, rate_limit, is_test }) => {
      const { key, keyHash } = this.format.create(is_test !== 0);
      const issued = { id, name, key, rate_limit };
      return { changes: { hash: keyHash, rotated_at: this.now() }, result: issued };
    });
  }

  /** Revokes a key permanently. @throws KeyNotFoundError */
  async revoke(id: string): Promise<void> {
    await this.#set(id, { revoked_at: this.now() });
  }

  /** Sets the requests per minute of a key; null: the default. @throws KeyNotFoundError */
  async setRateLimit(id: string, rateLimit: number | null): Promise<void> {
    await this.#set(id, { rate_limit: rateLimit });
  }

  /** Sets the field policy of a key, from the next request on. @throws KeyNotFoundError */
  async setPolicy(id: string, policy: string | null): Promise<void> {
    await this.#set(id, { policy });
  }

  /** Sets the first instant at which a key is rejected; null: never. @throws KeyNotFoundError */
  async setExpiry(id: string, expiresAt: number | null): Promise<void> {
    await this.#set(id, { expires_at: expiresAt });
  }

  /** Sets the customer who gets the bill of a key. @throws KeyNotFoundError */
  async setCustomer(id: string, customer: string): Promise<void> {
    await this.#set(id, { customer });
  }

  /** Changes the month allowances of a key, from the next request on. @returns the allowances; @throws KeyNotFoundError */
  async setAllowance(id: string, changes: AllowanceChanges): Promise<Required<AllowanceChanges>> {
    return this.#change(id, async ({ month_units, month_credits }, writer) => {
      const plan = { month_units, month_credits, ...changes };
      if (!hasAllowance({ month_units, month_credits }) && hasAllowance(plan)) await this.#discardMonths(writer, id);
      return { changes: plan, result: plan };
    });
  }

  /** Discards the months of a key, which the service derives from the totals again. They lack what the key used without a plan. */
  async #discardMonths(writer: Writer, id: string): Promise<void> {
    const discard = (each: Writer) => each.remove(KeyMonthEntity, ['key_id'], [{ key_id: id }]);
    const { usage, dataSource } = this.database;
    // SQLite keeps usage in a file of its own.
    await (usage.dataSource === dataSource ? discard(writer) : usage.write(discard));
  }

  #set(id: string, changes: Partial<ApiKeyEntity>): Promise<null> {
    return this.#change(id, () => ({ changes, result: null }));
  }

  async #change<R>(
    id: string,
    work: (key: ApiKeyEntity, writer: Writer) => KeyChange<R> | Promise<KeyChange<R>>,
  ): Promise<R> {
    return this.database.write(async (writer) => {
      const [key] = await writer.lock(ApiKeyEntity, ['id'], [{ id }], this.#columns);
      if (key === undefined) throw new KeyNotFoundError(`there is no key ${id}: "creator-data keys list" shows all`);
      if (key.revoked_at !== null)
        throw new KeyNotFoundError(`key ${id} is revoked: create a new one with "keys create"`);
      const { changes, result } = await work(key, writer);
      await writer.upsert(ApiKeyEntity, [{ ...key, ...changes }]);
      await this.audit.add(writer, { key_id: id, ...auditedTerms(changes) });
      return result;
    });
  }
}

/** Returns the changed terms that the audit log may contain: numbers and days, no names. */
function auditedTerms({ rate_limit, month_units, month_credits, expires_at }: Partial<ApiKeyEntity>): AuditTarget {
  const expiry = typeof expires_at === 'number' ? new Date(expires_at).toISOString() : expires_at;
  return { rate_limit, month_units, month_credits, expires_at: expiry };
}

/** Columns to write, and the result of the change. */
interface KeyChange<R> {
  readonly changes: Partial<ApiKeyEntity>;
  readonly result: R;
}
