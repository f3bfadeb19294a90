import { checkSettings } from '../collect/collect-settings.js';
import { bad, good, type Check } from './check.js';

/** Checks the settings of `collect`. It sends nothing: a call costs units. */
export function checkCollect(environment: Readonly<Record<string, string | undefined>>): Check {
  const { sources, problem } = checkSettings(environment);
  if (problem !== null) return bad('collect', problem);
  return good(
    'collect',
    sources.length === 0 ? 'no credentials are set' : `settings of ${sources.join(', ')} are valid`,
  );
}
