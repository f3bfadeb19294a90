import type { DocumentContext, MappingResult, Mapper } from '../fragment.js';
import { isObject, type JsonObject } from '../json-object.js';
import { Findings } from '../reading/findings.js';
import { formatValue, isRequestTo } from '../reading/responses.js';
import { mapExternalGame } from './external-games.js';
import { mapGame } from './games.js';

const HOST = 'api.igdb.com';

/** Members that distinguish games from the other records of IGDB. */
const GAME_MEMBERS = ['first_release_date', 'total_rating_count', 'external_games', 'game_type', 'version_parent'];

const isGame = (item: JsonObject): boolean =>
  'name' in item && 'id' in item && GAME_MEMBERS.some((name) => name in item);

const isExternalGame = (item: JsonObject): boolean =>
  'uid' in item && ('external_game_source' in item || ('category' in item && 'game' in item));

/** Mapper of IGDB. Its responses are arrays; each item is a document. */
export const igdb: Mapper = {
  source: 'igdb',

  recognises: (document, context) =>
    isObject(document) && (isRequestTo(context, HOST) || isExternalGame(document) || isGame(document)),

  map(document, context): MappingResult {
    const findings = new Findings(context.fetchedAt);
    if (isObject(document)) mapRecord(document, findings, context);
    return findings;
  },
};

function mapRecord(document: JsonObject, findings: Findings, context: DocumentContext): void {
  if ('cause' in document && 'status' in document) {
    return findings.reject(
      '',
      `error response from IGDB: ${formatValue(document.status)} ${formatValue(document.cause)}`,
    );
  }
  const endpoint = isRequestTo(context, HOST) ? context.url?.pathname.split('/')[2] : undefined;
  if (endpoint === 'external_games' || (endpoint === undefined && isExternalGame(document))) {
    mapExternalGame(document, '', findings);
  } else if (endpoint === 'games' || endpoint === undefined) mapGame(document, '', findings);
  else findings.skip(`IGDB ${endpoint}`);
}
