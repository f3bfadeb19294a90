import { Kind } from '../reading/kind.js';
import { id, text } from '../reading/members.js';
import type { KindMapper } from './kinds.js';

const kind = new Kind('games', { id, name: text, igdb_id: id }, ['box_art_url']);

/** `GET /helix/games`: the name of a category, and which game of the game database it is. */
export const games: KindMapper = {
  path: '/helix/games',
  isOne: (item) => 'box_art_url' in item,
  map(item, place, found) {
    const game = kind.read(item, place, found);
    const gameId = game && found.idOf(game.id, place, 'id');
    if (!gameId) return;
    if (game.name) found.add({ kind: 'category-name', platform: 'live_platform', id: gameId, name: game.name });
    if (game.igdb_id) {
      const link = { platform: 'live_platform', platformId: gameId, gameId: game.igdb_id, saidBy: 'platform' } as const;
      found.add({ kind: 'game-link', ...link });
    }
  },
};
