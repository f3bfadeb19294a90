import type { DocumentContext, MappingResult, Mapper } from '../fragment.js';
import { isObject, type JsonObject } from '../json-object.js';
import { Findings } from '../reading/findings.js';
import { forEachItem, firstItem, isRequestTo } from '../reading/responses.js';
import { channels } from './channels.js';
import { isFollowers, mapFollowers } from './followers.js';
import { games } from './games.js';
import type { CallMapper } from './call-mapper.js';
import { streams } from './streams.js';
import { users } from './users.js';
import { videos } from './videos.js';

/** Creates the mapper of a call that contains nothing for the records. */
const createSkippedCall = (path: string, reason: string, isOne: (item: JsonObject) => boolean): CallMapper => ({
  path,
  matches: isOne,
  map: (_item, _place, findings) => findings.skip(reason),
});

const CALLS: readonly CallMapper[] = [
  streams,
  users,
  videos,
  channels,
  games,
  createSkippedCall('/helix/clips', 'clip', (item) => 'creator_id' in item && 'broadcaster_id' in item),
  createSkippedCall('/helix/content_classification_labels', 'content classification label', () => false),
];

const HOST = 'api.twitch.tv';
const FOLLOWERS = '/helix/channels/followers';

/** Mapper of Helix, the Twitch API. */
export const twitch: Mapper = {
  source: 'twitch',

  recognises(document, context) {
    if (!isObject(document)) return false;
    if (isRequestTo(context, HOST) || isFollowers(document)) return true;
    const item = firstItem(document, 'data');
    if (item === null) return Array.isArray(document.data) && isObject(document.pagination);
    return CALLS.some((call) => call.matches(item));
  },

  map(document, context): MappingResult {
    const findings = new Findings(context.fetchedAt);
    if (isObject(document)) mapResponse(document, findings, context);
    return findings;
  },
};

function mapResponse(document: JsonObject, findings: Findings, context: DocumentContext): void {
  const path = isRequestTo(context, HOST) ? context.url?.pathname.replace(/\/$/, '') : undefined;
  if (typeof document.error === 'string' && typeof document.status === 'number') {
    return findings.reject('', `error response from Twitch: ${document.status} ${document.error}`);
  }
  if (path === FOLLOWERS || (path === undefined && isFollowers(document))) {
    return mapFollowers(document, findings, context);
  }
  const requestedCall = CALLS.find((call) => call.path === path);
  forEachItem(document, 'data', findings, (item, itemPath) => {
    const call = requestedCall ?? CALLS.find((candidate) => candidate.matches(item));
    if (call !== undefined) call.map(item, itemPath, findings, context);
    else
      findings.reject(
        itemPath,
        'unknown response; supported are users, channels, channels/followers, streams, videos and games',
      );
  });
}
