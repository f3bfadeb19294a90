import { isObject } from '../../sources/json-object.js';
import { NEWEST_ITEMS, type CollectPlatform } from './collect-platform.js';
import { hasList, listIn, textAt } from './json-members.js';
import { acceptedId } from './watch-list.js';

const BATCH_SIZE = 50;

const idOf = (creator: unknown) => acceptedId('youtube', textAt(creator, 'id'));

/** A list of nothing has no items, but it says its kind. */
const isList =
  (kind: string, isEntry?: (entry: unknown) => boolean) =>
  (body: unknown): boolean =>
    isObject(body) && body.kind === kind && (body.items === undefined || hasList(body, 'items', isEntry));

/** YouTube Data API. `search.list` is never used: it has 100 calls a day. */
export const YOUTUBE: CollectPlatform = {
  source: 'youtube',
  url: 'https://www.googleapis.com/youtube/v3',
  // The quota is 10,000 units; a fifth is left to other uses of the key.
  limits: { callsPerMinute: 600, unitsPerDay: 8000, timeZone: 'America/Los_Angeles' },
  steps: [
    {
      kind: 'identity',
      name: 'channels',
      batchSize: BATCH_SIZE,
      units: 1,
      asksHandlesAlone: true,
      isAnswer: isList('youtube#channelListResponse', (creator) => idOf(creator) !== null),
      request: ([first, ...others]) => ({
        method: 'GET',
        path: '/channels',
        query: [
          ['part', 'snippet,statistics,brandingSettings,contentDetails'],
          ['maxResults', String(BATCH_SIZE)],
          first !== undefined && first.id === null
            ? ['forHandle', `@${first.handle}`]
            : ['id', [first, ...others].map((subject) => subject?.id ?? '').join(',')],
        ],
      }),
      read: (body) =>
        listIn(body, 'items').flatMap((channel) => {
          const id = idOf(channel);
          const handle = textAt(channel, 'snippet', 'customUrl');
          const list = textAt(channel, 'contentDetails', 'relatedPlaylists', 'uploads');
          return id === null ? [] : [{ id, handle, list }];
        }),
    },
    {
      kind: 'list',
      name: 'playlistItems',
      batchSize: 1,
      units: 1,
      isAnswer: isList('youtube#playlistItemListResponse'),
      request: ([subject]) => ({
        method: 'GET',
        path: '/playlistItems',
        query: [
          ['part', 'contentDetails'],
          ['maxResults', String(NEWEST_ITEMS)],
          ['playlistId', subject?.list ?? ''],
        ],
      }),
      read: (body) =>
        listIn(body, 'items').flatMap((item) => {
          const id = textAt(item, 'contentDetails', 'videoId');
          const publishedAt = Date.parse(textAt(item, 'contentDetails', 'videoPublishedAt') ?? '');
          return id === null ? [] : [{ id, publishedAt: Number.isNaN(publishedAt) ? null : publishedAt }];
        }),
    },
    {
      kind: 'details',
      name: 'videos',
      batchSize: BATCH_SIZE,
      units: 1,
      isAnswer: isList('youtube#videoListResponse'),
      request: (items) => ({
        method: 'GET',
        path: '/videos',
        query: [
          ['part', 'snippet,contentDetails,statistics,liveStreamingDetails'],
          ['id', items.join(',')],
        ],
      }),
    },
  ],
};
