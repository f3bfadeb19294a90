import * as z from 'zod';
import type { GameLink } from '../fragment.js';
import type { JsonObject } from '../json-object.js';
import type { Findings } from '../reading/findings.js';
import { DocumentSchema } from '../reading/document-schema.js';
import { id } from '../reading/member-schemas.js';

/** Reference to another record: its ID, or the record itself if the request expanded it. */
export const reference = z
  .union([z.string(), z.number(), z.object({ id })], { error: 'must be an ID or an object' })
  .nullish();

/** Returns the ID of a referenced record. */
export function referenceId(value: z.output<typeof reference>): string | null {
  if (value === null || value === undefined) return null;
  return typeof value === 'object' ? (value.id ?? null) : String(value);
}

const kind = new DocumentSchema(
  'external_games',
  // `category` became `external_game_source` in 2025.
  { uid: id, game: reference, external_game_source: reference, category: reference },
  [
    'id',
    'name',
    'url',
    'year',
    'countries',
    'media',
    'platform',
    'game_release_format',
    'checksum',
    'created_at',
    'updated_at',
  ],
);

const PLATFORMS: ReadonlyMap<string | null, GameLink['platform']> = new Map([
  ['14', 'live_platform'],
  ['10', 'video_platform'],
]);

const CHANNEL_ID = /^UC[\w-]{22}$/;

/**
 * Maps a game's ID on another platform to a link.
 *
 * @param gameId the ID of the game that contains it, if any
 */
export function mapExternalGame(
  item: JsonObject,
  itemPath: string,
  findings: Findings,
  gameId: string | null = null,
): void {
  const external = kind.parse(item, itemPath, findings);
  if (external === null) return;
  const { uid, game, external_game_source: source, category } = external;
  const ownerId = gameId ?? referenceId(game);
  const platform = PLATFORMS.get(referenceId(source ?? category));
  const isUseful = platform !== undefined && uid && (platform === 'live_platform' || CHANNEL_ID.test(uid));
  if (isUseful && ownerId !== null)
    findings.add({ kind: 'game-link', platform, platformId: uid, gameId: ownerId, statedBy: 'gamedb' });
  else if (isUseful) findings.reject(itemPath === '' ? 'game' : `${itemPath}.game`, 'is missing');
  else if (gameId === null) findings.skip('game on another platform');
}
