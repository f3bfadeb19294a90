import { describe, expect, it } from '@jest/globals';
import { contextOf, reading } from '../../../test/support/sources/mapping.js';
import { igdb } from './igdb.js';

const { map, of, rejected, skipped } = reading(igdb);
const GAME = {
  id: 4242,
  name: 'Mock Quest',
  slug: 'mock-quest',
  first_release_date: 1458000000,
  total_rating_count: 12,
};
const CHANNEL_ID = 'UCmockmockmockmockmockmo';
const link = (platform: string, platformId: string) => ({
  kind: 'game-link',
  platform,
  platformId,
  gameId: '4242',
  statedBy: 'gamedb',
});

describe('a game of IGDB', () => {
  it('becomes a game', () => {
    expect(map(GAME, { fetchedAt: new Date(0) }).fragments).toEqual([
      {
        kind: 'game',
        id: '4242',
        observedAt: new Date(0),
        known: {
          name: 'Mock Quest',
          slug: 'mock-quest',
          first_release_date: '2016-03-15T00:00:00.000Z',
          total_rating_count: 12,
        },
      },
    ]);
  });

  it('may have a release date before 1970', () => {
    expect(of('game', { ...GAME, first_release_date: -378691200 })[0]?.known).toMatchObject({
      first_release_date: '1958-01-01T00:00:00.000Z',
    });
  });

  it('omits members that were not requested', () => {
    expect(of('game', { id: 4242, name: 'Mock Quest' })[0]?.known).toEqual({ name: 'Mock Quest' });
  });

  it('without a name is rejected', () => {
    expect(rejected({ ...GAME, name: undefined })).toEqual(['name: is missing']);
  });

  it('becomes links if its external games were requested', () => {
    const external_games = [
      { id: 1, game: 4242, uid: '77', external_game_source: 14 },
      { id: 2, game: 4242, uid: CHANNEL_ID, external_game_source: { id: 10, name: 'Youtube' } },
      { id: 3, game: 4242, uid: '620', external_game_source: 1 },
      { id: 4, game: { id: 4242, name: 'Mock Quest' }, uid: '78', category: 14 },
    ];
    expect(of('game-link', { ...GAME, external_games })).toEqual([
      link('live_platform', '77'),
      link('video_platform', CHANNEL_ID),
      link('live_platform', '78'),
    ]);
  });

  it('ignores external games that are only IDs', () => {
    expect(map({ ...GAME, external_games: [1, 2] }).fragments).toHaveLength(1);
  });
});

describe('an external game of IGDB', () => {
  it.each([
    ['with the member of today', { game: 4242, uid: '77', external_game_source: 14 }],
    ['with the member of before 2025', { game: 4242, uid: '77', category: 14 }],
    ['with its game expanded', { game: { id: 4242, name: 'Mock Quest' }, uid: '77', external_game_source: 14 }],
  ])('links a game %s', (_, external) => {
    expect(map(external).fragments).toEqual([link('live_platform', '77')]);
  });

  it('on YouTube becomes a link only if it is a channel', () => {
    const external = { game: 4242, external_game_source: 10 };
    expect(map({ ...external, uid: CHANNEL_ID }).fragments).toEqual([link('video_platform', CHANNEL_ID)]);
    expect(skipped({ ...external, uid: 'dQw4w9WgXcQ' })).toEqual(['game on another platform']);
  });

  it('in a store is skipped', () => {
    expect(skipped({ game: 4242, uid: '620', external_game_source: 1 })).toEqual(['game on another platform']);
  });

  it('without a game is rejected', () => {
    expect(rejected({ uid: '77', external_game_source: 14 })).toEqual(['game: is missing']);
  });
});

describe('a record of IGDB', () => {
  it.each([[GAME], [{ id: 1, game: 2, uid: '3', external_game_source: 14 }], [{ game: 2, uid: '3', category: 14 }]])(
    'is recognised by its members %#',
    (record) => {
      expect(igdb.recognises(record, contextOf({}))).toBe(true);
    },
  );

  it('with only a name is not recognised', () => {
    expect(igdb.recognises({ id: 1, name: 'Mock Quest', slug: 'mock-quest' }, contextOf({}))).toBe(false);
  });

  it('is recognised by its request', () => {
    const url = 'https://api.igdb.com/v4/games';
    expect(igdb.recognises({ id: 1, name: 'Mock Quest' }, contextOf({ url }))).toBe(true);
    expect(skipped({ id: 1, name: 'PC' }, { url: 'https://api.igdb.com/v4/platforms' })).toEqual(['IGDB platforms']);
  });

  it('is rejected with the message of its error', () => {
    expect(rejected({ title: 'Syntax Error', status: 400, cause: 'Expecting a FIELDS' })).toEqual([
      ': error response from IGDB: 400 Expecting a FIELDS',
    ]);
  });

  it('reports unknown members', () => {
    expect(map({ ...GAME, external_game_category: 1 }).unknownMembers).toEqual(['games.external_game_category']);
  });
});
