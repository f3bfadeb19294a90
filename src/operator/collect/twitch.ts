import { NEWEST_ITEMS, type CollectPlatform, type CreatorStep, type Subject } from './collect-platform.js';
import { hasList, listIn, textAt } from './json-members.js';
import { acceptedId } from './watch-list.js';

const BATCH_SIZE = 100;

const idOf = (creator: unknown) => acceptedId('twitch', textAt(creator, 'id'));

const idsOf = (subjects: readonly Subject[], parameter: string) =>
  subjects.map(({ id }) => [parameter, id ?? ''] as const);

const forCreators = (
  name: string,
  path: string,
  parameter: string,
  batchSize: number,
  more: readonly (readonly [string, string])[] = [],
): CreatorStep => ({
  kind: 'creators',
  name,
  batchSize,
  units: 1,
  isAnswer: (body) => hasList(body, 'data'),
  request: (subjects) => ({ method: 'GET', path, query: [...idsOf(subjects, parameter), ...more] }),
});

/** Helix. A call costs one of the 800 points a minute of an application. */
export const TWITCH: CollectPlatform = {
  source: 'twitch',
  url: 'https://api.twitch.tv/helix',
  limits: { callsPerMinute: 800, unitsPerDay: null, timeZone: 'UTC' },
  steps: [
    {
      kind: 'identity',
      name: 'users',
      batchSize: BATCH_SIZE,
      units: 1,
      asksHandlesAlone: false,
      isAnswer: (body) => hasList(body, 'data', (creator) => idOf(creator) !== null),
      request: (subjects) => ({
        method: 'GET',
        path: '/users',
        query: subjects.map(({ id, handle }) => (id === null ? ['login', handle] : ['id', id])),
      }),
      read: (body) =>
        listIn(body, 'data').flatMap((user) => {
          const id = idOf(user);
          return id === null ? [] : [{ id, handle: textAt(user, 'login'), list: null }];
        }),
    },
    forCreators('channels', '/channels', 'broadcaster_id', BATCH_SIZE),
    forCreators('streams', '/streams', 'user_id', BATCH_SIZE, [['first', String(BATCH_SIZE)]]),
    forCreators('followers', '/channels/followers', 'broadcaster_id', 1, [['first', '1']]),
    forCreators('videos', '/videos', 'user_id', 1, [
      ['first', String(NEWEST_ITEMS)],
      ['sort', 'time'],
    ]),
  ],
};
