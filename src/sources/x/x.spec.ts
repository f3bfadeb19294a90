import { describe, expect, it } from '@jest/globals';
import { contextOf, reading } from '../../../test/support/sources/mapping.js';
import { x } from './x.js';

const { map, of, profile, content, rejected, skipped } = reading(x);
const FETCHED = { fetchedAt: new Date('2026-11-22T10:00:00Z') };
const USER = {
  id: '1100000000000000001',
  name: 'Mock Writer',
  username: 'mockwriter',
  description: 'Writes.',
  profile_image_url: 'https://pbs.example/profile_images/1/a_normal.jpg',
  profile_banner_url: 'https://pbs.example/profile_banners/1',
  url: 'https://t.co/mock',
  entities: { url: { urls: [{ url: 'https://t.co/mock', expanded_url: 'https://www.twitch.tv/mockcaster' }] } },
  public_metrics: { followers_count: 900, following_count: 1, tweet_count: 5, listed_count: 0 },
  most_recent_tweet_id: '1460323737035677698',
  verified: true,
  verified_type: 'blue',
};
const POST = {
  id: '1460323737035677698',
  text: 'Mock &amp; roll &lt;3',
  author_id: USER.id,
  created_at: '2021-11-15T19:08:05.000Z',
  lang: 'en',
  edit_history_tweet_ids: ['1460323737035677698'],
  public_metrics: { retweet_count: 1, reply_count: 2, like_count: 30, quote_count: 0, impression_count: 4000 },
};

describe('a user of X', () => {
  it('becomes a profile', () => {
    expect(of('profile', { data: USER }, FETCHED)).toEqual([
      {
        kind: 'profile',
        platform: 'microblog_platform',
        id: '1100000000000000001',
        observedAt: FETCHED.fetchedAt,
        known: {
          name: 'mockwriter',
          display_name: 'Mock Writer',
          url: 'https://x.com/mockwriter',
          description: 'Writes.',
          profile_image: 'https://pbs.example/profile_images/1/a.jpg',
          banner_image: 'https://pbs.example/profile_banners/1',
          statistics: { followers: 900 },
          last_active_at: '2021-11-15T19:08:05.069Z',
        },
      },
    ]);
  });

  it('was last active at the time in the ID of its newest post, under either name', () => {
    const { most_recent_tweet_id, ...user } = USER;
    expect(profile({ data: { ...user, most_recent_post_id: most_recent_tweet_id } })?.last_active_at).toBe(
      '2021-11-15T19:08:05.069Z',
    );
    expect(profile({ data: user })).not.toHaveProperty('last_active_at');
  });

  it('links to the expanded URL of its page', () => {
    expect(of('link', { data: USER })).toMatchObject([{ profileId: USER.id, url: 'https://www.twitch.tv/mockcaster' }]);
  });

  it('omits fields that were not requested', () => {
    expect(profile({ data: { id: '1', name: 'Mock', username: 'mock' } })).toEqual({
      name: 'mock',
      display_name: 'Mock',
      url: 'https://x.com/mock',
      statistics: {},
    });
  });

  it('is mapped from a list and from the includes of posts', () => {
    expect(of('profile', { data: [USER, { ...USER, id: '2' }] })).toHaveLength(2);
    expect(of('profile', { data: [POST], includes: { users: [USER] } })).toHaveLength(1);
  });
});

describe('a post on X', () => {
  it('becomes a post', () => {
    expect(of('content', { data: [POST], includes: { users: [USER] } }, FETCHED)).toEqual([
      {
        kind: 'content',
        platform: 'microblog_platform',
        id: '1460323737035677698',
        observedAt: FETCHED.fetchedAt,
        author: { id: '1100000000000000001' },
        known: {
          type: 'post',
          description: 'Mock & roll <3',
          created_at: '2021-11-15T19:08:05.000Z',
          url: 'https://x.com/mockwriter/status/1460323737035677698',
          statistics: { views: { sum: 4000 }, likes: { sum: 30 }, comments: { sum: 2, avg: null } },
        },
      },
    ]);
  });

  it('has its text unescaped once, and only the three entities of X', () => {
    const text = '&amp;lt; &quot;&#39; &gt;';
    expect(content({ data: { ...POST, text } })?.description).toBe('&lt; &quot;&#39; >');
  });

  it.each(['note_tweet', 'note_post'])('has its full text in %s', (name) => {
    expect(content({ data: { ...POST, [name]: { text: 'All of it &amp; more' } } })?.description).toBe(
      'All of it & more',
    );
  });

  it('falls back to the time in its ID', () => {
    expect(content({ data: { ...POST, created_at: undefined } })?.created_at).toBe('2021-11-15T19:08:05.069Z');
  });

  it('has a URL without the handle of its author', () => {
    expect(content({ data: POST })?.url).toBe('https://x.com/i/status/1460323737035677698');
  });

  it('from before December 2022 has no views', () => {
    const { impression_count: _, ...public_metrics } = POST.public_metrics;
    expect(content({ data: { ...POST, public_metrics } })?.statistics).toEqual({
      likes: { sum: 30 },
      comments: { sum: 2, avg: null },
    });
  });

  it('has the duration of its only video, and stays a post', () => {
    const media = [
      { media_key: '7_1', type: 'video', duration_ms: 34875 },
      { media_key: '7_2', type: 'video', duration_ms: 5 },
      { media_key: '3_1', type: 'photo' },
    ];
    const withMedia = (...media_keys: string[]) =>
      content({ data: [{ ...POST, attachments: { media_keys } }], includes: { media } });
    expect(withMedia('7_1', '3_1')).toMatchObject({ type: 'post', duration: 34875 });
    expect(withMedia('7_1', '7_2')).not.toHaveProperty('duration');
    expect(withMedia('3_1')).not.toHaveProperty('duration');
  });

  it.each([
    ['referenced_tweets', 'retweeted'],
    ['referenced_posts', 'retweeted'],
    ['referenced_posts', 'reposted'],
  ])('that is a repost by %s is skipped', (name, type) => {
    expect(skipped({ data: [{ ...POST, [name]: [{ type, id: '1' }] }] })).toEqual(['repost']);
    expect(of('content', { data: [{ ...POST, [name]: [{ type: 'quoted', id: '1' }] }] })).toHaveLength(1);
  });

  it('without an author belongs to the requested timeline', () => {
    const { author_id: _, ...post } = POST;
    const url = 'https://api.x.com/2/users/77/tweets?max_results=5';
    expect(of('content', { data: [post] }, { url })[0]?.author).toEqual({ id: '77' });
    expect(of('content', { data: [post] }, { url: 'https://api.x.com/2/users/77/mentions' })[0]?.author).toBeNull();
  });

  it('that is only referenced is skipped', () => {
    for (const name of ['tweets', 'posts']) {
      const document = { data: [POST], includes: { [name]: [{ ...POST, id: '5' }] } };
      expect(of('content', document)).toHaveLength(1);
      expect(skipped(document)).toEqual(['post that another refers to']);
    }
  });

  it('whose ID lost digits is rejected', () => {
    expect(rejected({ data: [{ ...POST, id: 2 ** 60 }] })).toEqual([
      'data[0].id: must be a string or an integer below 2^53',
    ]);
  });

  it('may be flattened, with its author in it', () => {
    const flat = {
      ...POST,
      author: USER,
      attachments: { media_keys: ['7_1'], media: [{ media_key: '7_1', type: 'video', duration_ms: 9 }] },
    };
    expect(content(flat)).toMatchObject({ url: 'https://x.com/mockwriter/status/1460323737035677698', duration: 9 });
    expect(profile(flat)).toMatchObject({ name: 'mockwriter' });
    expect(map(flat).unknownMembers).toEqual([]);
  });
});

describe('a response of X', () => {
  it.each([
    [{ data: USER }],
    [{ data: [POST] }],
    [POST],
    [USER],
    [{ data: [{ id: '1', name: 'Mock', username: 'mock' }] }],
  ])('is recognised by its members %#', (document) => {
    expect(x.recognises(document, contextOf({}))).toBe(true);
  });

  it.each([[{ data: [] }], [{ id: '1', name: 'Mock', username: 'mock' }], [{ id: '1', text: 'Mock' }]])(
    'is not recognised if it is ambiguous %#',
    (document) => {
      expect(x.recognises(document, contextOf({}))).toBe(false);
    },
  );

  it.each(['https://api.x.com/2/tweets', 'https://api.twitter.com/2/tweets'])('is known by its request %s', (url) => {
    expect(x.recognises({}, contextOf({ url }))).toBe(true);
  });

  it('without data reports what X withholds', () => {
    const errors = [
      { resource_id: '1', title: 'Not Found Error', type: 'https://api.twitter.com/2/problems/resource-not-found' },
    ];
    expect(skipped({ errors })).toEqual(['not given by X: Not Found Error']);
    expect(x.recognises({ errors }, contextOf({}))).toBe(true);
    expect(skipped({ meta: { result_count: 0 } })).toEqual(['empty page']);
  });

  it('is rejected if it is an error or contains nothing known', () => {
    expect(rejected({ title: 'Unauthorized', detail: 'Unauthorized', type: 'about:blank', status: 401 })).toEqual([
      ': error response from X: Unauthorized',
    ]);
    expect(rejected({ data: [{ id: '1' }] })).toEqual(['data[0]: must be a user or a post']);
  });

  it('reports unknown members', () => {
    expect(map({ data: [{ ...POST, vibe: 1 }], includes: { users: [{ ...USER, aura: 2 }] } }).unknownMembers).toEqual([
      'posts.vibe',
      'users.aura',
    ]);
  });
});
