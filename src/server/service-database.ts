import type { Database } from '../database/database.js';
import { installationSecret } from '../database/installation-secret.js';
import type { DatabaseLocation } from '../model/config.js';
import { openCurrentDatabase } from '../schema/open-database.js';

/** Opens a database with a current schema and the installation's secret, which a user with all rights creates.
 * @throws Error that names the command to run */
export async function openServiceDatabase(location: DatabaseLocation): Promise<Database> {
  const database = await openCurrentDatabase(location);
  try {
    await installationSecret(database);
    return database;
  } catch (error) {
    await database.close();
    if (!isAccessDenied(error)) throw error;
    throw new Error(
      'there is no API key yet: with the database user of the operator, run "npm run -s cli -- keys create --name NAME"',
      { cause: error },
    );
  }
}

/** Returns whether the database user lacks a right on a table. */
export const isAccessDenied = (error: unknown): boolean =>
  error instanceof Error && Reflect.get(error, 'code') === 'ER_TABLEACCESS_DENIED_ERROR';
