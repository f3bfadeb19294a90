import { installationSecret } from '../../database/installation-secret.js';
import type { Database } from '../../database/database.js';
import { KeyFormat } from '../../features/auth/key-format.js';
import type { Audit } from '../audit/audit.js';
import { ApiKeys } from './api-keys.js';

/** Opens the keys of an installation. */
export async function openKeys(database: Database, audit: Audit): Promise<ApiKeys> {
  return new ApiKeys(database, new KeyFormat(await installationSecret(database)), Date.now, audit);
}
