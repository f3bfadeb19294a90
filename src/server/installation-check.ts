import type { Logger } from 'pino';
import { isAccessDenied } from '../database/access-denied.js';
import type { Database } from '../database/database.js';
import { installationSecret } from '../database/installation-secret.js';
import { ApiKeyEntity } from '../features/auth/api-key.entity.js';

/** The first key, and with it the installation's secret, was not created yet. Its message names the command. */
export class NoKeyYetError extends Error {}

const CREATE_A_KEY = 'run "npm run -s cli -- keys create --name NAME"';

/** Warns if no request can have a valid key yet. */
export async function warnWithoutKey(database: Database, logger: Logger): Promise<void> {
  const keys = await database.dataSource.getRepository(ApiKeyEntity).find({ select: { id: true }, take: 1 });
  if (keys.length > 0) return;
  logger.warn(`there is no API key yet: ${CREATE_A_KEY}`);
}

/** Checks that the installation has its secret, which the first command of a user with all rights creates.
 * @throws NoKeyYetError */
export async function requireInstallationSecret(database: Database): Promise<void> {
  try {
    await installationSecret(database);
  } catch (error) {
    if (!isAccessDenied(error)) throw error;
    throw new NoKeyYetError(`there is no API key yet: with the database user of the operator, ${CREATE_A_KEY}`, {
      cause: error,
    });
  }
}
