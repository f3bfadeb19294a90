import { createHash, randomBytes } from 'node:crypto';
import type { Database, Reader } from './database.js';
import { SecretEntity } from './secret.entity.js';

const NAME = 'key_checksum';

/** Returns the secret that key checksums are computed with. The first call creates it; all processes share it. */
export async function installationSecret(database: Database): Promise<string> {
  const existing = await readSecret(database);
  if (existing !== null) return existing;
  return database.write(async (writer) => {
    await writer.lockData();
    const concurrent = await readSecret(writer);
    if (concurrent !== null) return concurrent;
    const value = randomBytes(32).toString('hex');
    await writer.insert(SecretEntity, [{ name: NAME, value }]);
    return value;
  });
}

/** Gives a new database a secret that is known, so that processes which create the same database agree on its identifier. */
export function setInstallationSecret(database: Database, value: string): Promise<unknown> {
  return database.write((writer) => writer.insert(SecretEntity, [{ name: NAME, value }]));
}

/** Returns an identifier of the database that is the same under every address and does not reveal the secret. */
export const installationId = async (database: Database): Promise<string> =>
  identify(await installationSecret(database));

/** Returns the identifier of a database; null if it has no secret yet. */
export async function findInstallationId(database: Database): Promise<string | null> {
  const secret = await readSecret(database);
  return secret === null ? null : identify(secret);
}

const identify = (secret: string): string =>
  createHash('sha256').update(`installation ${secret}`).digest('hex').slice(0, 12);

async function readSecret(reader: Reader): Promise<string | null> {
  const lookup = reader.lookup({ entity: SecretEntity, group: null, id: 'name', columns: ['value'] });
  const [secret] = await reader.findMany(lookup, null, [NAME], { source: 'primary' });
  return secret?.value ?? null;
}
