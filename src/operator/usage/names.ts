import { ApiKeyEntity } from '../../features/auth/api-key.entity.js';
import type { Database } from '../../database/database.js';
import { OperatorError } from '../operator-error.js';

/** The names of all keys by their IDs; keys are never deleted. */
export async function keyNames(database: Database): Promise<Map<string, string>> {
  const keys = await database.dataSource.getRepository(ApiKeyEntity).find({ select: { id: true, name: true } });
  return new Map(keys.map(({ id, name }) => [id, name]));
}

/** @throws OperatorError if there never was such a key: the answer would be empty, not wrong */
export async function requireKey(database: Database, id: string): Promise<void> {
  if (await database.dataSource.getRepository(ApiKeyEntity).existsBy({ id })) return;
  throw new OperatorError('not_found', `there is no key ${id}: "creator-data keys list" shows all`);
}
