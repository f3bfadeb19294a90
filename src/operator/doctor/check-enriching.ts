import type { Database } from '../../database/database.js';
import { ConfigError } from '../../model/config.js';
import { ChatEndpoint } from '../enrich/chat-endpoint.js';
import { hasEnrichSettings, readEnrichSettings, type EnrichSettings } from '../enrich/enrich-settings.js';
import { isAlive, listRuns } from '../enrich/stored-runs.js';
import { bad, good, warning, type Check } from './check.js';

const NAME = 'enriching';
const TIMEOUT_MS = 3000;

/** Checks the settings of `enrich analysis`, and that the endpoint answers. Its list of models costs nothing. */
export async function checkEnriching(environment: Readonly<Record<string, string | undefined>>): Promise<Check> {
  if (!hasEnrichSettings(environment)) return good(NAME, 'not used: set ENRICH_BASE_URL and ENRICH_MODEL to use it');
  let settings: EnrichSettings;
  try {
    settings = readEnrichSettings(environment);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return bad(NAME, error.message);
  }
  const { host, model } = settings;
  const outcome = await new ChatEndpoint(settings, TIMEOUT_MS).send('/models', {}, () => ({ kind: 'listed' as const }));
  if (outcome.kind === 'listed') return good(NAME, `${host} answers; the model is ${model}`);
  if (outcome.kind === 'rejected') {
    if (outcome.status === 401 || outcome.status === 403)
      return bad(NAME, `${host} rejects the key: correct ENRICH_API_KEY`);
    // Some endpoints list no models.
    return good(NAME, `${host} answers; the model is ${model}`);
  }
  return warning(NAME, `${host} cannot be used (${outcome.reason}): start it, or correct ENRICH_BASE_URL`);
}

/** Checks that no run of `enrich analysis` is left unfinished: its reservations would count against the next one. */
export async function checkRuns(database: Database): Promise<Check[]> {
  const now = Date.now();
  const interrupted = (await listRuns(database)).find(({ endedAt, state }) => endedAt === 0 && !isAlive(state, now));
  if (interrupted === undefined) return [];
  const since = new Date(interrupted.startedAt).toISOString();
  return [
    warning(NAME, `the run of ${since} did not end: run "creator-data enrich analysis" again, which continues it`),
  ];
}
