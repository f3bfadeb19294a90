import type { DocumentContext, Mapped, Mapper } from '../fragment.js';
import { Findings } from '../reading/findings.js';
import { eachOf, firstOf, isItem, wentTo, type Item } from '../reading/responses.js';
import { channels } from './channels.js';
import { isFollowers, mapFollowers } from './followers.js';
import { games } from './games.js';
import type { KindMapper } from './kinds.js';
import { streams } from './streams.js';
import { users } from './users.js';
import { videos } from './videos.js';

/** A call that holds nothing for our records. */
const skipped = (path: string, reason: string, isOne: (item: Item) => boolean): KindMapper => ({
  path,
  isOne,
  map: (_item, _place, found) => found.skip(reason),
});

const KINDS: readonly KindMapper[] = [
  streams,
  users,
  videos,
  channels,
  games,
  skipped('/helix/clips', 'clip', (item) => 'creator_id' in item && 'broadcaster_id' in item),
  skipped('/helix/content_classification_labels', 'content classification label', () => false),
];

const HOST = 'api.twitch.tv';
const FOLLOWERS = '/helix/channels/followers';

/** The Twitch API, Helix. */
export const twitch: Mapper = {
  source: 'twitch',

  recognises(document, context) {
    if (!isItem(document)) return false;
    if (wentTo(context, HOST) || isFollowers(document)) return true;
    const item = firstOf(document, 'data');
    if (item === null) return Array.isArray(document.data) && isItem(document.pagination);
    return KINDS.some((kind) => kind.isOne(item));
  },

  map(document, context): Mapped {
    const found = new Findings(context.fetchedAt);
    if (isItem(document)) mapResponse(document, found, context);
    return found;
  },
};

function mapResponse(document: Item, found: Findings, context: DocumentContext): void {
  const path = wentTo(context, HOST) ? context.url?.pathname.replace(/\/$/, '') : undefined;
  if (typeof document.error === 'string' && typeof document.status === 'number') {
    return found.reject('', `an error response of Twitch: ${document.status} ${document.error}`);
  }
  if (path === FOLLOWERS || (path === undefined && isFollowers(document))) {
    return mapFollowers(document, found, context);
  }
  const asked = KINDS.find((kind) => kind.path === path);
  eachOf(document, 'data', found, (item, place) => {
    const kind = asked ?? KINDS.find((one) => one.isOne(item));
    if (kind !== undefined) kind.map(item, place, found, context);
    else
      found.reject(place, 'no known response: users, channels, channels/followers, streams, videos and games are read');
  });
}
