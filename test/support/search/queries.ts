import { COUNTRIES, GAMES, LANGUAGES, TOPICS, TYPES, WORDS } from './creators.js';
import type { Filters, SearchBody } from './oracle.js';
import type { Choices } from './random.js';

const TEXTS = [
  '',
  's',
  'sp',
  'halflife',
  'half life',
  'life',
  'stalker',
  'assassins',
  'ゲ',
  '本語',
  'STRASSE',
  'nothing',
  '_',
  '4',
];

function textOf(choices: Choices): string {
  if (choices.chance(0.3)) return choices.pick(TEXTS) || 'x';
  return choices
    .some(WORDS, 2)
    .map((word) => (choices.chance(0.5) ? word : word.slice(0, 1 + choices.below(word.length))))
    .map((word) => (choices.chance(0.2) ? word.toUpperCase() : word))
    .join(' ');
}

function filtersOf(choices: Choices, share: number): Filters {
  const filters: Filters = {};
  const min = choices.below(100);
  if (choices.chance(share)) {
    filters.followers = choices.pick([{ min }, { max: min }, { min, max: min + choices.below(1000) }]);
  }
  if (choices.chance(share)) filters.language = choices.some(LANGUAGES, 3);
  if (choices.chance(share)) filters.account_type = choices.some(TYPES, 2);
  if (choices.chance(share)) filters.is_mature = choices.chance(0.5);
  if (choices.chance(share)) filters.last_active_after = `2026-01-${String(1 + choices.below(31)).padStart(2, '0')}`;
  if (choices.chance(share)) filters.game_ids = choices.some(GAMES, 3);
  if (choices.chance(share)) filters.topics = choices.some([...TOPICS, 'music'], 3);
  if (choices.chance(share)) filters.countries = choices.some(COUNTRIES, 2);
  if (choices.chance(share)) filters.has = choices.some(['email', 'analysis', 'audience', 'socials'], 2);
  return filters;
}

/** Generates the body of a search. @param ids some of which are excluded */
export function searchOf(choices: Choices, ids: readonly string[]): SearchBody {
  return {
    ...(choices.chance(0.4) ? { text: textOf(choices) } : {}),
    ...(choices.chance(0.8) ? { filters: filtersOf(choices, 0.2) } : {}),
    ...(choices.chance(0.4) ? { not: filtersOf(choices, 0.15) } : {}),
    ...(choices.chance(0.2) ? { exclude_ids: choices.some(ids, 200) } : {}),
    ...(choices.chance(0.5) ? { sort: choices.pick(['followers', 'last_active_at'] as const) } : {}),
    ...(choices.chance(0.5) ? { order: choices.pick(['asc', 'desc'] as const) } : {}),
    limit: 1 + choices.below(50),
  };
}
