import { linesAbout, missingRequirements } from '../../scripts/requirements.mjs';
import { findStores, linesAboutStores } from '../../scripts/stores.mjs';

/**
 * Finds the stores to test with.
 * @throws Error if REQUIRE_ALL=1 is set and a store or a tool is missing, which would leave tests out
 */
export default async function globalSetup(): Promise<void> {
  const stores = await findStores(process.env);
  Object.assign(process.env, stores);
  if (process.env.REQUIRE_ALL !== '1') return;
  const lines = [...linesAboutStores(stores), ...linesAbout(missingRequirements())];
  if (lines.length > 0) throw new Error(['REQUIRE_ALL=1, but tests would be left out.', ...lines].join('\n'));
}
