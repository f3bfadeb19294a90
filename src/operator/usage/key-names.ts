import { ApiKeyEntity } from '../../features/auth/api-key.entity.js';
import type { Database } from '../../database/database.js';
import { customerOf } from '../keys/api-keys.js';
import { OperatorError } from '../operator-error.js';

/** Returns the names of all keys by ID. Keys are never deleted. */
export async function listKeyNames(database: Database): Promise<Map<string, string>> {
  const keys = await database.dataSource.getRepository(ApiKeyEntity).find({ select: { id: true, name: true } });
  return new Map(keys.map(({ id, name }) => [id, name]));
}

/** Returns the customers of all keys by key ID. */
export async function listCustomers(database: Database): Promise<Map<string, string>> {
  const select = { id: true, name: true, customer: true } as const;
  const keys = await database.dataSource.getRepository(ApiKeyEntity).find({ select });
  return new Map(keys.map((key) => [key.id, customerOf(key)]));
}

/** Returns the IDs of all test keys, whose usage is in no bill and no sum. */
export async function listTestKeys(database: Database): Promise<Set<string>> {
  const keys = await database.dataSource
    .getRepository(ApiKeyEntity)
    .find({ select: { id: true }, where: { is_test: 1 } });
  return new Set(keys.map(({ id }) => id));
}

/** Rejects an unknown key ID, which would otherwise give an empty result. @throws OperatorError */
export async function requireKey(database: Database, id: string): Promise<void> {
  if (await database.dataSource.getRepository(ApiKeyEntity).existsBy({ id })) return;
  throw new OperatorError('not_found', `there is no key ${id}: "creator-data keys list" shows all`);
}
