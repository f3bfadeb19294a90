import { isAccessDenied } from '../database/access-denied.js';
import type { Database } from '../database/database.js';
import { installationSecret } from '../database/installation-secret.js';

/** The first key, and with it the installation's secret, was not created yet. Its message names the command. */
export class NoKeyYetError extends Error {}

/** Checks that the installation has its secret, which the first command of a user with all rights creates.
 * @throws NoKeyYetError */
export async function requireInstallationSecret(database: Database): Promise<void> {
  try {
    await installationSecret(database);
  } catch (error) {
    if (!isAccessDenied(error)) throw error;
    throw new NoKeyYetError(
      'there is no API key yet: with the database user of the operator, run "npm run -s cli -- keys create --name NAME"',
      { cause: error },
    );
  }
}
