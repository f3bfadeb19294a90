import { DocumentSchema } from '../reading/document-schema.js';
import { id, text } from '../reading/member-schemas.js';
import type { CallMapper } from './call-mapper.js';

const kind = new DocumentSchema('games', { id, name: text, igdb_id: id }, ['box_art_url']);

/** Maps `GET /helix/games`: the name of a category, and its game in the game database. */
export const games: CallMapper = {
  path: '/helix/games',
  matches: (item) => 'box_art_url' in item,
  map(item, itemPath, findings) {
    const game = kind.parse(item, itemPath, findings);
    const gameId = game && findings.requireId(game.id, itemPath, 'id');
    if (!gameId) return;
    if (game.name) findings.add({ kind: 'category-name', platform: 'live_platform', id: gameId, name: game.name });
    if (game.igdb_id) {
      const link = {
        platform: 'live_platform',
        platformId: gameId,
        gameId: game.igdb_id,
        statedBy: 'platform',
      } as const;
      findings.add({ kind: 'game-link', ...link });
    }
  },
};
