import { isAccessDenied } from '../database/access-denied.js';
import type { Database } from '../database/database.js';
import { installationSecret } from '../database/installation-secret.js';

/** Checks that the installation has its secret, which the first command of a user with all rights creates.
 * @throws Error that names the command to run */
export async function requireInstallationSecret(database: Database): Promise<void> {
  try {
    await installationSecret(database);
  } catch (error) {
    if (!isAccessDenied(error)) throw error;
    throw new Error(
      'there is no API key yet: with the database user of the operator, run "npm run -s cli -- keys create --name NAME"',
      { cause: error },
    );
  }
}
