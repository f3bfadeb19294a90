import { NEWEST_ITEMS, type CollectPlatform } from './collect-platform.js';
import { hasList, listIn, textAt } from './json-members.js';
import { acceptedId } from './watch-list.js';

const idOf = (creator: unknown) => acceptedId('bluesky', textAt(creator, 'did'));

/** Public API of Bluesky. It needs no key; its limits have no documented numbers, so the rate is a polite one. */
export const BLUESKY: CollectPlatform = {
  source: 'bluesky',
  url: 'https://public.api.bsky.app/xrpc',
  limits: { callsPerMinute: 600, unitsPerDay: null, timeZone: 'UTC' },
  steps: [
    {
      kind: 'identity',
      name: 'profiles',
      batchSize: 25,
      units: 1,
      asksHandlesAlone: false,
      isAnswer: (body) => hasList(body, 'profiles', (creator) => idOf(creator) !== null),
      request: (subjects) => ({
        method: 'GET',
        path: '/app.bsky.actor.getProfiles',
        query: subjects.map(({ id, handle }) => ['actors', id ?? handle]),
      }),
      read: (body) =>
        listIn(body, 'profiles').flatMap((profile) => {
          const id = idOf(profile);
          return id === null ? [] : [{ id, handle: textAt(profile, 'handle'), list: null }];
        }),
    },
    {
      kind: 'creators',
      name: 'feed',
      batchSize: 1,
      units: 1,
      isAnswer: (body) => hasList(body, 'feed'),
      request: ([subject]) => ({
        method: 'GET',
        path: '/app.bsky.feed.getAuthorFeed',
        query: [
          ['actor', subject?.id ?? ''],
          ['limit', String(NEWEST_ITEMS)],
        ],
      }),
    },
  ],
};
