import { describe, expect, it } from '@jest/globals';
import { MAPPERS } from '../../../src/sources/mappers.js';
import { normalize } from '../../support/sources/sources.js';

const TWITCH = 'https://api.twitch.tv/helix';
const envelope = (url: string, fetched_at: string, body: unknown) => JSON.stringify({ url, fetched_at, body });
const run = (source: string, ...lines: string[]) =>
  normalize({ 'a.ndjson': lines.join('\n') }, { source, mappers: MAPPERS });

const stream = (viewer_count: number) => ({
  data: [
    {
      id: '5550001',
      user_id: '9001',
      user_login: 'mockcaster',
      user_name: 'MockCaster',
      game_id: '77',
      game_name: 'Mock Quest',
      title: 'Any percent',
      tags: null,
      viewer_count,
      started_at: '2026-11-22T09:00:00Z',
      language: 'en',
    },
  ],
});

describe('responses of several Twitch calls', () => {
  const lines = [
    envelope(`${TWITCH}/users?id=9001`, '2026-11-22T09:00:00Z', {
      data: [{ id: '9001', login: 'mockcaster', display_name: 'MockCaster', broadcaster_type: '', description: 'Hi' }],
    }),
    envelope(`${TWITCH}/channels?broadcaster_id=9001`, '2026-11-22T09:00:01Z', {
      data: [{ broadcaster_id: '9001', broadcaster_language: 'de', content_classification_labels: [] }],
    }),
    envelope(`${TWITCH}/channels/followers?broadcaster_id=9001`, '2026-11-22T09:00:02Z', { total: 412, data: [] }),
    envelope(`${TWITCH}/streams?user_id=9001`, '2026-11-22T10:00:00Z', stream(100)),
    envelope(`${TWITCH}/streams?user_id=9001`, '2026-11-22T10:10:00Z', stream(300)),
    envelope(`${TWITCH}/videos?user_id=9001`, '2026-11-22T13:00:00Z', {
      data: [
        {
          id: '880001',
          stream_id: '5550001',
          user_id: '9001',
          user_login: 'mockcaster',
          title: 'Any percent, all of it',
          description: '',
          created_at: '2026-11-22T09:00:00Z',
          url: `https://www.twitch.tv/videos/880001`,
          viewable: 'public',
          view_count: 88,
          type: 'archive',
          duration: '2h',
        },
      ],
    }),
    envelope(`${TWITCH}/games?id=77`, '2026-11-22T13:00:00Z', {
      data: [{ id: '77', name: 'Mock Quest', box_art_url: '', igdb_id: '4242' }],
    }),
    JSON.stringify({ id: 4242, name: 'Mock Quest: Remocked', slug: 'mock-quest', first_release_date: 0 }),
  ];

  it('become one profile with the channel’s language', async () => {
    const { of, report } = await run('auto', ...lines);
    expect(of('profiles')).toEqual([
      expect.objectContaining({
        id: '9001',
        description: 'Hi',
        language: 'de',
        is_mature: false,
        statistics: { followers: 412, views_estimated: null },
        last_active_at: '2026-11-22T11:00:00.000Z',
        updated_at: '2026-11-22T13:00:00.000Z',
      }),
    ]);
    expect(report).toMatchObject({ rejected: 0, unknown_members: {} });
  });

  it('become one item from the stream, its snapshots and its recording', async () => {
    const { of } = await run('auto', ...lines);
    expect(of('content')).toEqual([
      expect.objectContaining({
        content_id: '5550001',
        type: 'stream',
        title: 'Any percent, all of it',
        ended_at: '2026-11-22T11:00:00.000Z',
        duration: 7_200_000,
        profile_id: '9001',
        categories: [
          {
            id: '77',
            type: 'live_platform_game',
            name: 'Mock Quest',
            gamedb_id: 4242,
            gamedb_name: 'Mock Quest: Remocked',
            gamedb_slug: 'mock-quest',
          },
        ],
        statistics: {
          viewers: { avg: 200, max: 300 },
          watched_minutes: { sum: 1000 },
          airtime_minutes: { sum: 120 },
          views: { sum: 88 },
        },
      }),
    ]);
    expect(of('games')).toEqual([expect.objectContaining({ id: '4242', live_platform_id: '77' })]);
  });
});

describe('responses of several YouTube calls', () => {
  const video = {
    kind: 'youtube#video',
    id: 'mockvid0001',
    snippet: { channelId: 'UCm', title: 'Mock', categoryId: '27', publishedAt: '2026-05-01T12:00:49Z' },
    contentDetails: { duration: 'PT59S' },
  };

  it('make a video in a playlist of Shorts a short', async () => {
    const entry = {
      kind: 'youtube#playlistItem',
      snippet: { playlistId: 'UUSHm' },
      contentDetails: { videoId: 'mockvid0001' },
    };
    const { of } = await run('youtube', JSON.stringify(video), JSON.stringify(entry));
    expect(of('content')).toEqual([
      expect.objectContaining({ type: 'short', url: 'https://www.youtube.com/shorts/mockvid0001' }),
    ]);
  });

  it('name categories by the list of the run, else by the built-in names', async () => {
    const category = { kind: 'youtube#videoCategory', id: '27', snippet: { title: 'Bildung' } };
    const nameIn = async (...lines: string[]) => {
      const { of } = await run('youtube', ...lines);
      return of('content').map(({ categories }) => categories);
    };
    expect(await nameIn(JSON.stringify(video))).toEqual([[expect.objectContaining({ name: 'Education' })]]);
    expect(await nameIn(JSON.stringify(video), JSON.stringify(category))).toEqual([
      [expect.objectContaining({ name: 'Bildung' })],
    ]);
  });
});

describe('digits of large numbers', () => {
  it('are kept in IDs of TikTok', async () => {
    const line =
      '{"data":{"videos":[{"id":702874395068494965,"username":"mockdancer","create_time":1633823999,"view_count":5}]},"error":{"code":"ok"}}';
    const { of } = await run('tiktok', line);
    expect(of('content')).toEqual([expect.objectContaining({ content_id: '702874395068494965' })]);
  });

  it('are kept in IDs of X', async () => {
    const line =
      '{"_type":"snscrape.modules.twitter.Tweet","id":1460323737035677698,"date":"2021-11-15 19:08:05+00:00","rawContent":"Mock"}';
    const { of } = await run('twscrape', line);
    expect(of('content')).toEqual([expect.objectContaining({ content_id: '1460323737035677698' })]);
  });
});

describe('chapters of a stream, of which yt-dlp knows only the title', () => {
  const info = JSON.stringify({
    id: 'v990001',
    extractor_key: 'TwitchVod',
    title: 'Marathon',
    uploader_id: 'mockcaster',
    timestamp: 1_763_800_000,
    duration: 7200,
    chapters: [
      { start_time: 0, end_time: 3600, title: 'mock quest' },
      { start_time: 3600, end_time: 5400, title: 'Just Mocking' },
      { start_time: 5400, end_time: 7200, title: 'Never heard of' },
    ],
  });
  const helix = (id: string, name: string) =>
    envelope(`${TWITCH}/games?id=${id}`, '2026-11-22T13:00:00Z', {
      data: [{ id, name, box_art_url: '', igdb_id: '' }],
    });
  const igdb = JSON.stringify({ id: 4242, name: 'Mock Quest', slug: 'mock-quest', first_release_date: 0 });
  const link = JSON.stringify({ id: 1, game: 4242, uid: '77', external_game_source: 14 });

  it('get the game of that name in any letter case: first from the game database, then from categories', async () => {
    const { of } = await run('auto', info, helix('501', 'Just Mocking'), helix('6', 'Mock Quest'), igdb, link);
    expect(of('content')[0]?.chapters).toMatchObject([
      {
        title: 'mock quest',
        categories: [
          { id: '77', type: 'live_platform_game', name: 'mock quest', gamedb_id: 4242, gamedb_slug: 'mock-quest' },
        ],
      },
      { title: 'Just Mocking', categories: [{ id: '501', name: 'Just Mocking', gamedb_id: null }] },
      { title: 'Never heard of', categories: [] },
    ]);
  });

  it('get the lowest ID if several games have the name, in any order', async () => {
    const lines = [info, helix('502', 'Just Mocking'), helix('61', 'Just Mocking')];
    for (const order of [lines, lines.toReversed()]) {
      const { of } = await run('auto', ...order);
      expect(of('content')[0]?.chapters).toMatchObject([{}, { categories: [{ id: '61' }] }, {}]);
    }
  });
});
