import { ApiKeyEntity } from '../../features/auth/api-key.entity.js';
import type { Database } from '../../database/database.js';
import { OperatorError } from '../operator-error.js';

/** Returns the names of all keys by ID. Keys are never deleted. */
export async function listKeyNames(database: Database): Promise<Map<string, string>> {
  const keys = await database.dataSource.getRepository(ApiKeyEntity).find({ select: { id: true, name: true } });
  return new Map(keys.map(({ id, name }) => [id, name]));
}

/** Rejects an unknown key ID, which would otherwise give an empty result. @throws OperatorError */
export async function requireKey(database: Database, id: string): Promise<void> {
  if (await database.dataSource.getRepository(ApiKeyEntity).existsBy({ id })) return;
  throw new OperatorError('not_found', `there is no key ${id}: "creator-data keys list" shows all`);
}
