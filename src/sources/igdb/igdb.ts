import type { DocumentContext, Mapped, Mapper } from '../fragment.js';
import { Findings } from '../reading/findings.js';
import { isItem, type Item, shown, wentTo } from '../reading/responses.js';
import { mapExternalGame } from './external-games.js';
import { mapGame } from './games.js';

const HOST = 'api.igdb.com';

/** Members that of all the game database's records only games have. */
const OF_GAMES = ['first_release_date', 'total_rating_count', 'external_games', 'game_type', 'version_parent'];

const isGame = (item: Item): boolean => 'name' in item && 'id' in item && OF_GAMES.some((name) => name in item);

const isExternalGame = (item: Item): boolean =>
  'uid' in item && ('external_game_source' in item || ('category' in item && 'game' in item));

/** IGDB. Its responses are arrays, which come item by item. */
export const igdb: Mapper = {
  source: 'igdb',

  recognises: (document, context) =>
    isItem(document) && (wentTo(context, HOST) || isExternalGame(document) || isGame(document)),

  map(document, context): Mapped {
    const found = new Findings(context.fetchedAt);
    if (isItem(document)) mapRecord(document, found, context);
    return found;
  },
};

function mapRecord(document: Item, found: Findings, context: DocumentContext): void {
  if ('cause' in document && 'status' in document) {
    return found.reject('', `an error response of IGDB: ${shown(document.status)} ${shown(document.cause)}`);
  }
  const endpoint = wentTo(context, HOST) ? context.url?.pathname.split('/')[2] : undefined;
  if (endpoint === 'external_games' || (endpoint === undefined && isExternalGame(document))) {
    mapExternalGame(document, '', found);
  } else if (endpoint === 'games' || endpoint === undefined) mapGame(document, '', found);
  else found.skip(`IGDB ${endpoint}`);
}
