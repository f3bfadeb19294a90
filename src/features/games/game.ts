import { z } from 'zod';
import { dateTime, id, integer, nullable, shape, text, textUpToBytes } from '../../model/scalars.js';

export const GAME_NOT_FOUND = 'Game not found';

/** The 404 of every endpoint that is about a game. */
export const NO_GAME = { [GAME_NOT_FOUND]: 'no game with this ID is known there' };

/** The longest name of a game: it is part of the index that holds the games in order of popularity. */
export const MAX_GAME_NAME_BYTES = 1000;

/** A game as game search returns it. */
export const gameSchema = shape({
  id: id.describe('ID in the game database'),
  name: textUpToBytes(MAX_GAME_NAME_BYTES).describe('Official name'),
  slug: nullable(text).describe('URL-friendly name'),
  first_release_date: nullable(dateTime).describe('First release on any system'),
  live_platform_id: nullable(id).describe('ID of the game on live_platform'),
  video_platform_id: nullable(id).describe("ID of the game's channel on video_platform"),
}).describe('A game');

export type Game = z.output<typeof gameSchema>;

/** A game as the metadata endpoint returns it, and one line of a `games` import. */
export const gameDetailsSchema = shape({
  ...gameSchema.shape,
  total_rating_count: nullable(integer).describe('Number of ratings; game search orders by it'),
}).describe('A game with its popularity');

export type GameDetails = z.output<typeof gameDetailsSchema>;
