import type { PlatformRequest, CollectPlatform } from './collect-platform.js';

/** Games in one call: the most that IGDB returns. */
export const GAMES_PER_CALL = 500;

/** Categories in one call. A category can match several games. */
export const CATEGORIES_PER_CALL = 250;

/** Source of the Twitch categories in IGDB's list of external games. */
const TWITCH_SOURCE = 14;

const FIELDS =
  'fields name,slug,first_release_date,total_rating_count,external_games.uid,external_games.external_game_source;';

/** IGDB: 4 calls a second of an application. */
export const IGDB: Pick<CollectPlatform, 'source' | 'url' | 'limits'> = {
  source: 'igdb',
  url: 'https://api.igdb.com/v4',
  limits: { callsPerMinute: 240, unitsPerDay: null, timeZone: 'UTC' },
};

const gamesRequest = (condition: string): PlatformRequest => ({
  method: 'POST',
  path: '/games',
  query: [],
  body: `${FIELDS} where ${condition}; limit ${GAMES_PER_CALL}; sort id asc;`,
});

/** Asks for games by ID. */
export const gamesById = (ids: readonly string[]): PlatformRequest => gamesRequest(`id = (${ids.join(',')})`);

/** Asks for the games of Twitch categories. @param after ID of the last one before */
export const gamesByCategory = (ids: readonly string[], after: string): PlatformRequest =>
  gamesRequest(
    `id > ${after} & external_games.external_game_source = ${TWITCH_SOURCE} & external_games.uid = (${ids.map((id) => `"${id}"`).join(',')})`,
  );

/** Asks for the next games of the catalogue. @param after ID of the last one before */
export const gamesAfter = (after: string): PlatformRequest => gamesRequest(`id > ${after}`);
