import { createHash, randomBytes } from 'node:crypto';
import type { Database, Reader } from './database.js';
import { SecretEntity } from './secret.entity.js';

const NAME = 'key_checksum';

/** The secret that key checksums are made with: created when first asked for, then the same for every process. */
export async function installationSecret(database: Database): Promise<string> {
  const existing = await stored(database);
  if (existing !== null) return existing;
  return database.write(async (writer) => {
    await writer.lockData();
    const raced = await stored(writer);
    if (raced !== null) return raced;
    const value = randomBytes(32).toString('hex');
    await writer.insert(SecretEntity, [{ name: NAME, value }]);
    return value;
  });
}

/** Tells databases apart wherever they are reached, and tells nothing of the secret. */
export async function installationName(database: Database): Promise<string> {
  const secret = await installationSecret(database);
  return createHash('sha256').update(`installation ${secret}`).digest('hex').slice(0, 12);
}

async function stored(reader: Reader): Promise<string | null> {
  const lookup = reader.lookup({ entity: SecretEntity, group: null, id: 'name', columns: ['value'] });
  const [secret] = await reader.findMany(lookup, null, [NAME], { recency: 'fresh' });
  return secret?.value ?? null;
}
