import { randomBytes } from 'node:crypto';
import type { Database } from '../../database/database.js';

const NAME = 'key_checksum';

/** The secret that key checksums are made with: created when first asked for, then the same for every process. */
export async function installationSecret(database: Database): Promise<string> {
  const stored = async () => (await database.readFresh('SELECT value FROM secrets WHERE name = ?', [NAME]))[0]?.[0];
  const existing = await stored();
  if (existing !== undefined) return String(existing);
  await database.write(async (writer) => {
    await writer.lockData();
    const raced = await writer.all('SELECT value FROM secrets WHERE name = ?', [NAME]);
    if (raced.length === 0) {
      await writer.run('INSERT INTO secrets (name, value) VALUES (?, ?)', [NAME, randomBytes(32).toString('hex')]);
    }
  });
  return String(await stored());
}
