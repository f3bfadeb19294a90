import { Kind } from '../reading/kind.js';
import { id, text } from '../reading/members.js';
import type { KindMapper } from './kinds.js';

const kind = new Kind('games', { id, name: text, igdb_id: id }, ['box_art_url']);

/** Maps `GET /helix/games`: the name of a category, and its game in the game database. */
export const games: KindMapper = {
  path: '/helix/games',
  isOne: (item) => 'box_art_url' in item,
  map(item, place, findings) {
    const game = kind.read(item, place, findings);
    const gameId = game && findings.idOf(game.id, place, 'id');
    if (!gameId) return;
    if (game.name) findings.add({ kind: 'category-name', platform: 'live_platform', id: gameId, name: game.name });
    if (game.igdb_id) {
      const link = { platform: 'live_platform', platformId: gameId, gameId: game.igdb_id, saidBy: 'platform' } as const;
      findings.add({ kind: 'game-link', ...link });
    }
  },
};
