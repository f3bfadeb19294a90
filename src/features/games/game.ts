import * as z from 'zod';
import { dateTime, id, integer, nullable, shape, text, textUpToBytes } from '../../model/scalars.js';

/** Maximum length of a name in UTF-8 bytes, which the index by popularity can hold. */
export const MAX_GAME_NAME_BYTES = 1000;

/** Schema of a game in search results. */
export const gameSchema = shape({
  id: id.describe('ID in the game database'),
  name: textUpToBytes(MAX_GAME_NAME_BYTES).describe('Official name'),
  slug: nullable(text).describe('URL-friendly name'),
  first_release_date: nullable(dateTime).describe('First release on any system'),
  live_platform_id: nullable(id).describe('ID of the game on live_platform'),
  video_platform_id: nullable(id).describe("ID of the game's channel on video_platform"),
}).describe('A game');

export type Game = z.output<typeof gameSchema>;

/** Schema of a game with its rating count, both of an answer and of a line of a `games` import. */
export const gameDetailsSchema = shape({
  ...gameSchema.shape,
  total_rating_count: nullable(integer).describe('Number of ratings; game search orders by it'),
}).describe('A game with its popularity');

export type GameDetails = z.output<typeof gameDetailsSchema>;
