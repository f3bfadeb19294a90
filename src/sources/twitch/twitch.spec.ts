import { describe, expect, it } from '@jest/globals';
import { contextOf, reading } from '../../../test/support/mapping.js';
import { twitch } from './twitch.js';

const { map, of, profile, content, rejected, skipped } = reading(twitch);
const FETCHED = { fetchedAt: new Date('2026-11-22T10:00:00Z') };

const USER = {
  id: '9001',
  login: 'mockcaster',
  display_name: 'MockCaster',
  type: '',
  broadcaster_type: 'partner',
  description: 'Plays invented games.',
  profile_image_url: 'https://images.example/p.png',
  offline_image_url: 'https://images.example/o.png',
  view_count: 12345,
  created_at: '2016-12-14T20:32:28.894263Z',
};
const page = (...data: object[]) => ({ data, pagination: {} });

describe('a Twitch user', () => {
  it('becomes a profile', () => {
    expect(of('profile', page(USER), FETCHED)).toEqual([
      {
        kind: 'profile',
        platform: 'live_platform',
        id: '9001',
        observedAt: FETCHED.fetchedAt,
        known: {
          name: 'mockcaster',
          display_name: 'MockCaster',
          url: 'https://www.twitch.tv/mockcaster',
          description: 'Plays invented games.',
          profile_image: 'https://images.example/p.png',
          banner_image: 'https://images.example/o.png',
          account_type: 'partner',
        },
      },
    ]);
  });

  it('has null for what Twitch leaves empty', () => {
    const empty = { ...USER, description: '', broadcaster_type: '', profile_image_url: '', offline_image_url: '' };
    expect(profile(page(empty))).toMatchObject({
      description: null,
      account_type: null,
      profile_image: null,
      banner_image: null,
    });
  });

  it('says nothing of views, whose count is dead, nor of followers and language', () => {
    for (const name of ['statistics', 'language', 'is_mature']) expect(profile(page(USER))).not.toHaveProperty(name);
  });

  it('is read without the page around it', () => {
    expect(profile(USER)).toMatchObject({ name: 'mockcaster' });
  });

  it('without an ID is rejected, and its neighbours are read', () => {
    const { id: _, ...nameless } = USER;
    expect(rejected(page(nameless, USER))).toEqual(['data[0].id: is missing']);
    expect(of('profile', page(nameless, USER))).toHaveLength(1);
  });

  it('with a member of a wrong type is rejected with its path', () => {
    expect(rejected(page(USER, { ...USER, login: 7 }))).toEqual(['data[1].login: must be a string']);
  });

  it('may have members that are new, which are counted', () => {
    expect(map(page({ ...USER, sparkle: 1 }, { ...USER, sparkle: 2 })).unknownMembers).toEqual([
      'users.sparkle',
      'users.sparkle',
    ]);
    expect(map(page(USER)).unknownMembers).toEqual([]);
  });

  it('keeps text storable', () => {
    expect(profile(page({ ...USER, description: 'a\0b\ud800c' }))).toMatchObject({
      description: 'a\u{FFFD}b\u{FFFD}c',
    });
  });
});

const CHANNEL = {
  broadcaster_id: '9001',
  broadcaster_login: 'mockcaster',
  broadcaster_name: 'MockCaster',
  broadcaster_language: 'de',
  game_id: '77',
  game_name: 'Mock Quest',
  title: 'Hi',
  delay: 0,
  tags: ['cosy'],
  content_classification_labels: [] as string[],
  is_branded_content: false,
};

describe('a Twitch channel', () => {
  it('knows the language and that nothing is mature', () => {
    expect(of('profile', page(CHANNEL))[0]).toMatchObject({ id: '9001', known: { language: 'de', is_mature: false } });
  });

  it.each(['MatureGame', 'SexualThemes', 'ViolentGraphic', 'DrugsIntoxication', 'Gambling', 'ProfanityVulgarity'])(
    'is mature by the label %s',
    (label) => {
      expect(profile(page({ ...CHANNEL, content_classification_labels: [label] }))).toMatchObject({ is_mature: true });
    },
  );

  it('is not mature by politics', () => {
    const labels = ['DebatedSocialIssuesAndPolitics'];
    expect(profile(page({ ...CHANNEL, content_classification_labels: labels }))).toMatchObject({ is_mature: false });
  });

  it('without labels does not know', () => {
    const { content_classification_labels: _, ...old } = CHANNEL;
    expect(profile(page(old))).not.toHaveProperty('is_mature');
  });

  it.each(['other', ''])('has no language if that is "%s"', (language) => {
    expect(profile(page({ ...CHANNEL, broadcaster_language: language }))).toMatchObject({ language: null });
  });
});

describe('a number of Twitch followers', () => {
  const FOLLOWERS = { total: 412, data: [], pagination: {} };
  const url = 'https://api.twitch.tv/helix/channels/followers?broadcaster_id=9001';

  it('belongs to the channel its request asked for', () => {
    expect(of('profile', FOLLOWERS, { url, ...FETCHED })).toEqual([
      expect.objectContaining({ id: '9001', known: { statistics: { followers: 412 } } }),
    ]);
  });

  it('without its request belongs to nobody', () => {
    expect(rejected(FOLLOWERS)).toEqual([': followers response without its request: wrap it with its url']);
  });

  it('does not take a follower for the channel', () => {
    const follower = { user_id: '5', user_login: 'fan', user_name: 'Fan', followed_at: '2022-05-24T22:22:08Z' };
    const document = { total: 8, data: [follower], pagination: { cursor: 'c' } };
    expect(of('profile', document, { url })).toEqual([
      expect.objectContaining({ id: '9001', known: { statistics: { followers: 8 } } }),
    ]);
  });

  it('must be a number', () => {
    expect(rejected({ ...FOLLOWERS, total: {} }, { url })).toEqual([
      'total: must be an integer below 2^53, as a number or as text',
    ]);
  });
});

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
  it('becomes a stream and a look at it', () => {
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

  it('shows that its creator is active, and who that is', () => {
    expect(profile(page(STREAM), FETCHED)).toMatchObject({
      name: 'mockcaster',
      display_name: 'MockCaster',
      last_active_at: '2026-11-22T10:00:00.000Z',
    });
  });

  it('says a language and maturity that count only where the channel says none', () => {
    expect(of('profile', page(STREAM), FETCHED)[1]).toMatchObject({
      id: '9001',
      observedAt: null,
      known: { language: 'en', is_mature: true },
    });
  });

  it('without a time of its own keeps its viewers as the only look', () => {
    expect(of('snapshot', page(STREAM))).toEqual([]);
    expect(content(page(STREAM))).toMatchObject({ statistics: { viewers: { avg: 321, max: 321 } } });
  });

  it('has no tags where they are null', () => {
    expect(content(page({ ...STREAM, tags: null }))).toMatchObject({ tags: [] });
  });

  it('of before 2023 has the IDs of its tags', () => {
    const { tags: _, ...old } = STREAM;
    expect(content(page({ ...old, tag_ids: ['6ea6bca4'] }))).toMatchObject({
      tags: [{ id: '6ea6bca4', type: 'live_platform_tag', name: null }],
    });
  });

  it('without a category has none', () => {
    const document = page({ ...STREAM, game_id: '', game_name: '' });
    expect(content(document, FETCHED)).toMatchObject({ categories: [] });
    expect(of('snapshot', document, FETCHED)[0]?.game).toBeNull();
  });

  it('cannot know what only its end or its recording tells', () => {
    for (const name of ['ended_at', 'duration', 'description', 'chapters']) {
      expect(content(page(STREAM), FETCHED)).not.toHaveProperty(name);
    }
  });

  it('is read from the row of a CSV file', () => {
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
  it('of a broadcast goes under the ID of the broadcast', () => {
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

  it('of a broadcast without a known ID keeps its own', () => {
    expect(of('content', page({ ...VIDEO, stream_id: null }))[0]).toMatchObject({
      id: '880001',
      known: { type: 'stream' },
    });
  });

  it.each(['highlight', 'upload'])('of the type %s is a video, published when it was published', (type) => {
    const [video] = of('content', page({ ...VIDEO, type, stream_id: null, duration: '50s' }));
    expect(video).toMatchObject({
      id: '880001',
      known: { type: 'video', created_at: '2026-11-22T09:10:00.000Z', duration: 50_000 },
    });
    expect(video?.known).not.toHaveProperty('ended_at');
  });

  it('has no game, so those of the broadcast stay', () => {
    expect(content(page(VIDEO))).not.toHaveProperty('categories');
    expect(content(page(VIDEO))).not.toHaveProperty('tags');
  });

  it('names its creator', () => {
    expect(profile(page(VIDEO))).toEqual({
      name: 'mockcaster',
      display_name: 'MockCaster',
      url: 'https://www.twitch.tv/mockcaster',
    });
  });

  it('with a length that is none is rejected', () => {
    expect(rejected(page({ ...VIDEO, duration: '3:08:33' }))).toEqual([
      'data[0].duration: must be a duration such as 3h8m33s',
    ]);
  });
});

describe('a Twitch game', () => {
  const GAME = { id: '77', name: 'Mock Quest', box_art_url: 'https://images.example/b.jpg', igdb_id: '4242' };

  it('names a category and a game of the game database', () => {
    expect(map(page(GAME)).fragments).toEqual([
      { kind: 'category-name', platform: 'live_platform', id: '77', name: 'Mock Quest' },
      { kind: 'game-link', platform: 'live_platform', platformId: '77', gameId: '4242', saidBy: 'platform' },
    ]);
  });

  it('that is none has a name only', () => {
    expect(of('game-link', page({ ...GAME, igdb_id: '' }))).toEqual([]);
  });
});

describe('other responses of Twitch', () => {
  it('are skipped where they hold nothing for records', () => {
    const clip = { id: 'Awkward', broadcaster_id: '1', creator_id: '2', video_id: '', duration: 12.9 };
    expect(skipped(page(clip))).toEqual(['clip']);
    expect(skipped(page())).toEqual(['empty page']);
    const label = { id: 'Gambling', name: 'Gambling', description: 'x' };
    const url = 'https://api.twitch.tv/helix/content_classification_labels';
    expect(skipped(page(label), { url })).toEqual(['content classification label']);
  });

  it('are rejected where nobody knows them', () => {
    expect(rejected(page({ emote: 1 }), { url: 'https://api.twitch.tv/helix/chat/emotes' })).toEqual([
      'data[0]: no known response: users, channels, channels/followers, streams, videos and games are read',
    ]);
  });

  it('are rejected with what an error says', () => {
    expect(rejected({ error: 'Unauthorized', status: 401, message: 'Invalid OAuth token' })).toEqual([
      ': an error response of Twitch: 401 Unauthorized',
    ]);
  });

  it.each([page(USER), page(CHANNEL), page(STREAM), page(VIDEO), page(), USER, { total: 1, data: [], pagination: {} }])(
    'are known without their request %#',
    (document) => {
      expect(twitch.recognises(document, contextOf({}))).toBe(true);
    },
  );

  it('are known by their request', () => {
    expect(twitch.recognises({}, contextOf({ url: 'https://api.twitch.tv/helix/users' }))).toBe(true);
    expect(twitch.recognises({}, contextOf({ url: 'https://api.twitch.tv.example/helix/users' }))).toBe(false);
  });
});
