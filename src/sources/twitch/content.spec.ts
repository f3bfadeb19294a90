import { describe, expect, it } from '@jest/globals';
import { reading } from '../../../test/support/sources/mapping.js';
import { twitch } from './twitch.js';

const { map, of, profile, content, rejected } = reading(twitch);
const FETCHED = { fetchedAt: new Date('2026-11-22T10:00:00Z') };

const page = (...data: object[]) => ({ data, pagination: {} });

const STREAM = {
  id: '5550001',
  user_id: '9001',
  user_login: 'mockcaster',
  user_name: 'MockCaster',
  game_id: '77',
  game_name: 'Mock Quest',
  type: 'live',
  title: 'Any percent',
  tags: ['cosy', 'English'] as string[] | null,
  viewer_count: 321,
  started_at: '2026-11-22T09:00:00Z',
  language: 'en',
  thumbnail_url: 'https://images.example/{width}x{height}.jpg',
  tag_ids: [],
  is_mature: true,
};

describe('a live Twitch stream', () => {
  it('becomes a stream and a snapshot', () => {
    expect(of('content', page(STREAM), FETCHED)).toEqual([
      {
        kind: 'content',
        platform: 'live_platform',
        id: '5550001',
        observedAt: FETCHED.fetchedAt,
        author: { id: '9001' },
        known: {
          type: 'stream',
          title: 'Any percent',
          created_at: '2026-11-22T09:00:00.000Z',
          url: 'https://www.twitch.tv/mockcaster',
          categories: [
            {
              id: '77',
              type: 'live_platform_game',
              name: 'Mock Quest',
              gamedb_id: null,
              gamedb_name: null,
              gamedb_slug: null,
            },
          ],
          tags: [
            { id: 'cosy', type: 'live_platform_tag', name: 'cosy' },
            { id: 'English', type: 'live_platform_tag', name: 'English' },
          ],
          statistics: {},
        },
      },
    ]);
    expect(of('snapshot', page(STREAM), FETCHED)).toEqual([
      {
        kind: 'snapshot',
        platform: 'live_platform',
        contentId: '5550001',
        at: FETCHED.fetchedAt,
        viewers: 321,
        game: { id: '77', name: 'Mock Quest' },
      },
    ]);
  });

  it('becomes a profile of its creator, with the time of activity', () => {
    expect(profile(page(STREAM), FETCHED)).toMatchObject({
      name: 'mockcaster',
      display_name: 'MockCaster',
      last_active_at: '2026-11-22T10:00:00.000Z',
    });
  });

  it('has a language and maturity that any value of the channel overrides', () => {
    expect(of('profile', page(STREAM), FETCHED)[1]).toMatchObject({
      id: '9001',
      observedAt: null,
      known: { language: 'en', is_mature: true },
    });
  });

  it('without a time of response has its viewers as statistics', () => {
    expect(of('snapshot', page(STREAM))).toEqual([]);
    expect(content(page(STREAM))).toMatchObject({ statistics: { viewers: { avg: 321, max: 321 } } });
  });

  it('has no tags if they are null', () => {
    expect(content(page({ ...STREAM, tags: null }))).toMatchObject({ tags: [] });
  });

  it('from before 2023 has the IDs of its tags', () => {
    const { tags: _, ...old } = STREAM;
    expect(content(page({ ...old, tag_ids: ['6ea6bca4'] }))).toMatchObject({
      tags: [{ id: '6ea6bca4', type: 'live_platform_tag', name: null }],
    });
  });

  it('without a game has no categories', () => {
    const document = page({ ...STREAM, game_id: '', game_name: '' });
    expect(content(document, FETCHED)).toMatchObject({ categories: [] });
    expect(of('snapshot', document, FETCHED)[0]?.game).toBeNull();
  });

  it('omits what only its end or its recording provides', () => {
    for (const name of ['ended_at', 'duration', 'description', 'chapters']) {
      expect(content(page(STREAM), FETCHED)).not.toHaveProperty(name);
    }
  });

  it('is mapped from a row of a CSV file', () => {
    const row = {
      ...STREAM,
      viewer_count: '321',
      is_mature: 'TRUE',
      tag_ids: "['6ea6bca4', '7cefbf30']",
      tags: undefined,
      follow_count: '1000',
      total_views: '3284345133808108',
    };
    expect(content(row)).toMatchObject({ tags: [{ id: '6ea6bca4' }, { id: '7cefbf30' }] });
    expect(profile(row)).toMatchObject({ statistics: { followers: 1000, views_estimated: 3284345133808108 } });
  });
});

const VIDEO = {
  id: '880001',
  stream_id: '5550001' as string | null,
  user_id: '9001',
  user_login: 'mockcaster',
  user_name: 'MockCaster',
  title: 'Any percent',
  description: '',
  created_at: '2026-11-22T09:00:05Z',
  published_at: '2026-11-22T09:10:00Z',
  url: 'https://www.twitch.tv/videos/880001',
  thumbnail_url: '',
  viewable: 'public',
  view_count: 88,
  language: 'en',
  type: 'archive',
  duration: '3h8m33s',
  muted_segments: null,
};

describe('a Twitch video', () => {
  it('of a stream has the ID of the stream', () => {
    expect(of('content', page(VIDEO))[0]).toMatchObject({
      id: '5550001',
      author: { id: '9001' },
      known: {
        type: 'stream',
        title: 'Any percent',
        description: null,
        created_at: '2026-11-22T09:00:05.000Z',
        ended_at: '2026-11-22T12:08:38.000Z',
        duration: 11_313_000,
        url: 'https://www.twitch.tv/videos/880001',
        statistics: { views: { sum: 88 } },
      },
    });
  });

  it('of a stream without a known ID has its own ID', () => {
    expect(of('content', page({ ...VIDEO, stream_id: null }))[0]).toMatchObject({
      id: '880001',
      known: { type: 'stream' },
    });
  });

  it.each(['highlight', 'upload'])('of the type %s is a video, created at its publication', (type) => {
    const [video] = of('content', page({ ...VIDEO, type, stream_id: null, duration: '50s' }));
    expect(video).toMatchObject({
      id: '880001',
      known: { type: 'video', created_at: '2026-11-22T09:10:00.000Z', duration: 50_000 },
    });
    expect(video?.known).not.toHaveProperty('ended_at');
  });

  it('has no categories, so those of the stream stay', () => {
    expect(content(page(VIDEO))).not.toHaveProperty('categories');
    expect(content(page(VIDEO))).not.toHaveProperty('tags');
  });

  it('becomes a profile of its creator', () => {
    expect(profile(page(VIDEO))).toEqual({
      name: 'mockcaster',
      display_name: 'MockCaster',
      url: 'https://www.twitch.tv/mockcaster',
    });
  });

  it('with an invalid duration is rejected', () => {
    expect(rejected(page({ ...VIDEO, duration: '3:08:33' }))).toEqual([
      'data[0].duration: must be a duration such as 3h8m33s',
    ]);
  });
});

describe('a Twitch game', () => {
  const GAME = { id: '77', name: 'Mock Quest', box_art_url: 'https://images.example/b.jpg', igdb_id: '4242' };

  it('becomes the name of a category and a link to a game', () => {
    expect(map(page(GAME)).fragments).toEqual([
      { kind: 'category-name', platform: 'live_platform', id: '77', name: 'Mock Quest' },
      { kind: 'game-link', platform: 'live_platform', platformId: '77', gameId: '4242', statedBy: 'platform' },
    ]);
  });

  it('without a game becomes only the name of a category', () => {
    expect(of('game-link', page({ ...GAME, igdb_id: '' }))).toEqual([]);
  });
});
