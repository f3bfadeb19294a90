import { describe, expect, it } from '@jest/globals';
import { contextOf, reading } from '../../../test/support/sources/mapping.js';
import { instagram } from './instagram.js';

const { map, of, profile, content, rejected, skipped } = reading(instagram);
const FETCHED = { fetchedAt: new Date('2026-11-22T10:00:00Z') };
const MEDIA = {
  id: '17900000000000001',
  caption: 'Look at this mock',
  media_type: 'IMAGE',
  media_product_type: 'FEED',
  permalink: 'https://www.instagram.com/p/MoCkCoDe_-1/',
  timestamp: '2021-08-17T19:00:42+0000',
  like_count: 120,
  comments_count: 7,
};
const ACCOUNT = {
  id: '17841400000000009',
  username: 'mockgrapher',
  name: 'Mock Grapher',
  biography: 'Pictures. twitch.tv/mockcaster',
  website: 'https://www.youtube.com/@mockchannel',
  followers_count: 4200,
  follows_count: 3,
  media_count: 1,
  profile_picture_url: 'https://i.example/p.jpg',
};
const discovery = (account: object, media: object[] = []) => ({
  business_discovery: { ...account, media: { data: media, paging: { cursors: { after: 'x' } } } },
  id: '17841499999999999',
});

describe('an account found by Business Discovery', () => {
  it('becomes a profile with its own ID, not the requesting account’s', () => {
    expect(of('profile', discovery(ACCOUNT), FETCHED)).toEqual([
      {
        kind: 'profile',
        platform: 'photo_platform',
        id: '17841400000000009',
        observedAt: FETCHED.fetchedAt,
        known: {
          name: 'mockgrapher',
          display_name: 'Mock Grapher',
          url: 'https://www.instagram.com/mockgrapher/',
          description: 'Pictures. twitch.tv/mockcaster',
          profile_image: 'https://i.example/p.jpg',
          statistics: { followers: 4200 },
        },
      },
    ]);
  });

  it('has the ID that other tools use, if it was requested', () => {
    expect(of('profile', discovery({ ...ACCOUNT, ig_id: 3141592 }))[0]?.id).toBe('3141592');
    expect(of('content', discovery({ ...ACCOUNT, ig_id: 3141592 }, [MEDIA]))[0]?.author).toEqual({ id: '3141592' });
  });

  it('links to pages in its description and its website', () => {
    expect(of('link', discovery(ACCOUNT)).map(({ url }) => url)).toEqual([
      'twitch.tv/mockcaster',
      'https://www.youtube.com/@mockchannel',
    ]);
  });

  it('has the handle in the request', () => {
    const { username: _, ...nameless } = ACCOUNT;
    const fields = 'business_discovery.username(mockgrapher){followers_count}';
    const url = `https://graph.facebook.com/v25.0/17841499999999999?fields=${encodeURIComponent(fields)}`;
    expect(profile(discovery(nameless), { url })).toMatchObject({ name: 'mockgrapher' });
    expect(profile(discovery(nameless))).not.toHaveProperty('name');
  });

  it('omits fields that were not requested', () => {
    expect(profile(discovery({ id: '1', username: 'mockgrapher' }))).toEqual({
      name: 'mockgrapher',
      url: 'https://www.instagram.com/mockgrapher/',
      statistics: {},
    });
  });

  it('with only an ID, as on the second page of its items, is not a profile', () => {
    expect(of('profile', discovery({ id: '17841400000000009' }, [MEDIA]))).toEqual([]);
    expect(of('content', discovery({ id: '17841400000000009' }, [MEDIA]))[0]?.author).toEqual({
      id: '17841400000000009',
    });
  });

  it('owns its items by its handle if `ig_id` is unknown', () => {
    expect(of('content', discovery(ACCOUNT, [MEDIA]))[0]?.author).toEqual({ handle: 'mockgrapher' });
  });
});

describe('an Instagram item', () => {
  const one = (members: object) => discovery(ACCOUNT, [{ ...MEDIA, ...members }]);

  it('becomes an item whose ID is the shortcode', () => {
    expect(of('content', one({}), FETCHED)).toEqual([
      {
        kind: 'content',
        platform: 'photo_platform',
        id: 'MoCkCoDe_-1',
        observedAt: FETCHED.fetchedAt,
        author: { handle: 'mockgrapher' },
        known: {
          type: 'post',
          description: 'Look at this mock',
          created_at: '2021-08-17T19:00:42.000Z',
          url: 'https://www.instagram.com/p/MoCkCoDe_-1/',
          statistics: { likes: { sum: 120 }, comments: { sum: 7, avg: null } },
        },
      },
    ]);
  });

  it.each([
    ['post', { media_type: 'CAROUSEL_ALBUM' }],
    ['video', { media_type: 'VIDEO' }],
    ['short', { media_type: 'VIDEO', media_product_type: 'REELS' }],
    [
      'short',
      { media_type: 'VIDEO', media_product_type: undefined, permalink: 'https://www.instagram.com/reel/MoCk/' },
    ],
    ['video', { media_type: 'VIDEO', media_product_type: undefined, permalink: 'https://www.instagram.com/tv/MoCk/' }],
  ])('is a %s %#', (type, members) => {
    expect(content(one(members))?.type).toBe(type);
  });

  it('prefers the member `shortcode`', () => {
    expect(of('content', one({ shortcode: 'Given', permalink: undefined }))[0]).toMatchObject({
      id: 'Given',
      known: { url: 'https://www.instagram.com/p/Given/' },
    });
  });

  it('without a shortcode or permalink is rejected', () => {
    expect(rejected(one({ permalink: undefined }))).toEqual([
      'business_discovery.media.data[0].permalink: is missing: request permalink, which contains the ID',
    ]);
  });

  it('without a media type is rejected', () => {
    expect(rejected(one({ media_type: undefined }))).toEqual([
      'business_discovery.media.data[0].media_type: is missing',
    ]);
  });

  it('that hides its likes has a null count', () => {
    expect(content(one({ like_count: undefined }))?.statistics).toEqual({
      likes: { sum: null },
      comments: { sum: 7, avg: null },
    });
  });

  it('omits counts that were not requested', () => {
    expect(content(one({ like_count: undefined, comments_count: undefined }))?.statistics).toEqual({});
  });

  it('has views only if they are present', () => {
    expect(content(one({ view_count: 900 }))?.statistics).toMatchObject({ views: { sum: 900 } });
  });

  it('with an invalid date is rejected', () => {
    expect(rejected(one({ timestamp: 'soon' }))).toEqual([
      'business_discovery.media.data[0].timestamp: must be a date and time with a zone, such as 2026-01-31T09:30:00Z',
    ]);
  });

  it('that is a story is skipped', () => {
    expect(skipped(one({ media_product_type: 'STORY' }))).toEqual(['story']);
  });
});

describe('responses about the requester’s own accounts', () => {
  it('contain an account', () => {
    expect(of('profile', ACCOUNT)[0]).toMatchObject({ id: '17841400000000009', known: { name: 'mockgrapher' } });
  });

  it('contain items of the owner they name', () => {
    expect(of('content', { data: [{ ...MEDIA, owner: { id: '17841400000000009' } }] })[0]?.author).toEqual({
      id: '17841400000000009',
    });
    expect(of('content', { data: [{ ...MEDIA, username: 'mockgrapher', owner: { id: '1' } }] })[0]?.author).toEqual({
      handle: 'mockgrapher',
    });
  });

  it('contain items of the owner in the request', () => {
    const url = 'https://graph.instagram.com/v25.0/17841400000000009/media?fields=permalink';
    expect(of('content', { data: [MEDIA] }, { url })[0]?.author).toEqual({ id: '17841400000000009' });
    expect(of('content', { data: [MEDIA] })[0]?.author).toBeNull();
  });

  it('contain several accounts by ID', () => {
    const document = { '1': { ...ACCOUNT, id: '1' }, '2': { ...ACCOUNT, id: '2' } };
    expect(of('profile', document).map(({ id }) => id)).toEqual(['1', '2']);
    expect(instagram.recognises(document, contextOf({}))).toBe(true);
  });
});

describe('a response of Instagram', () => {
  it.each([[discovery(ACCOUNT)], [ACCOUNT], [{ data: [MEDIA], paging: {} }], [MEDIA]])(
    'is recognised by its members %#',
    (document) => {
      expect(instagram.recognises(document, contextOf({}))).toBe(true);
    },
  );

  it.each([[{ data: [] }], [{ id: '1', username: 'x' }], [{ data: { id: '1', username: 'x', name: 'X' } }]])(
    'is not recognised if it is ambiguous %#',
    (document) => {
      expect(instagram.recognises(document, contextOf({}))).toBe(false);
    },
  );

  it('is recognised by its request', () => {
    expect(instagram.recognises({ data: [] }, contextOf({ url: 'https://graph.instagram.com/me/media' }))).toBe(true);
    expect(skipped({ data: [] }, { url: 'https://graph.instagram.com/me/media' })).toEqual(['empty page']);
  });

  it('is rejected with the message of its error', () => {
    expect(rejected({ error: { message: 'Invalid user id', code: 110, type: 'OAuthException' } })).toEqual([
      ': error response from Instagram: 110 Invalid user id',
    ]);
  });

  it('is rejected if it contains nothing usable', () => {
    expect(rejected({ data: [{ id: '1' }] })).toEqual([
      'data[0]: must be an account or a media item: request username, or permalink and media_type',
    ]);
    expect(rejected({ business_discovery: { id: '1' }, id: '2' })).toEqual([
      'business_discovery: contains only an ID: request username and followers_count',
    ]);
  });

  it('reports unknown members', () => {
    expect(map(discovery({ ...ACCOUNT, vibe: 1 }, [{ ...MEDIA, mood: 1 }])).unknownMembers).toEqual([
      'users.vibe',
      'media.mood',
    ]);
  });
});
