import * as z from 'zod';
import { isObject, type JsonObject } from '../json-object.js';
import type { Findings } from '../reading/findings.js';
import { DocumentSchema } from '../reading/document-schema.js';
import { count, id, text, unixSeconds } from '../reading/member-schemas.js';
import { joinPath } from '../reading/member-path.js';
import { mapExternalGame } from './external-games.js';

const kind = new DocumentSchema(
  'games',
  {
    id,
    name: text,
    slug: text,
    first_release_date: unixSeconds,
    total_rating_count: count,
    external_games: z.array(z.unknown(), { error: 'must be an array' }).nullish(),
  },
  [
    'age_ratings',
    'aggregated_rating',
    'aggregated_rating_count',
    'alternative_names',
    'artworks',
    'bundles',
    'category',
    'checksum',
    'collection',
    'collections',
    'cover',
    'created_at',
    'dlcs',
    'expanded_games',
    'expansions',
    'follows',
    'forks',
    'franchise',
    'franchises',
    'game_engines',
    'game_localizations',
    'game_modes',
    'game_status',
    'game_type',
    'genres',
    'hypes',
    'involved_companies',
    'keywords',
    'language_supports',
    'multiplayer_modes',
    'parent_game',
    'platforms',
    'player_perspectives',
    'ports',
    'rating',
    'rating_count',
    'release_dates',
    'remakes',
    'remasters',
    'screenshots',
    'similar_games',
    'standalone_expansions',
    'status',
    'storyline',
    'summary',
    'tags',
    'themes',
    'total_rating',
    'updated_at',
    'url',
    'version_parent',
    'version_title',
    'videos',
    'websites',
  ],
);

/** Maps a game. A member is present only if the request named it. */
export function mapGame(item: JsonObject, itemPath: string, findings: Findings): void {
  const game = kind.parse(item, itemPath, findings);
  const gameId = game && findings.requireId(game.id, itemPath, 'id');
  const name = gameId && findings.requireId(game.name, itemPath, 'name');
  if (!name) return;
  const { slug, first_release_date, total_rating_count } = game;
  findings.addGame(gameId, { name, slug, first_release_date, total_rating_count });
  for (const [index, external] of (game.external_games ?? []).entries()) {
    if (isObject(external)) mapExternalGame(external, joinPath(itemPath, ['external_games', index]), findings, gameId);
  }
}
