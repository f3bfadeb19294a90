import { describe, expect, it } from '@jest/globals';
import { contextOf, reading } from '../../../test/support/sources/mapping.js';
import { tiktok } from './tiktok.js';

const { map, of, content, rejected, skipped } = reading(tiktok);
const FETCHED = { fetchedAt: new Date('2026-11-22T10:00:00Z') };
const OK = { code: 'ok', message: '', log_id: 'x' };
const USER = {
  open_id: 'mock-open-id',
  union_id: 'mock-union-id',
  avatar_url: 'https://i.example/a.jpg',
  display_name: 'Mock Dancer',
  bio_description: 'Dances.',
  profile_deep_link: 'https://vm.tiktok.com/mock/',
  is_verified: false,
  username: 'mockdancer',
  follower_count: 321,
  following_count: 1,
  likes_count: 5,
  video_count: 2,
};
const display = (members: object) => ({ data: { user: { ...USER, ...members } }, error: OK });

describe('a user of TikTok’s Display API', () => {
  it('becomes a profile whose ID is the handle', () => {
    expect(of('profile', display({}), FETCHED)).toEqual([
      {
        kind: 'profile',
        platform: 'short_platform',
        id: 'mockdancer',
        observedAt: FETCHED.fetchedAt,
        known: {
          name: 'mockdancer',
          display_name: 'Mock Dancer',
          url: 'https://www.tiktok.com/@mockdancer',
          description: 'Dances.',
          profile_image: 'https://i.example/a.jpg',
          statistics: { followers: 321 },
        },
      },
    ]);
  });

  it('is counted as a user whose handle is the ID', () => {
    expect(skipped(display({}))).toEqual(['TikTok ID: the handle stands for it']);
  });

  it('without a handle is rejected', () => {
    expect(rejected(display({ username: undefined }))).toEqual([
      'data.user.username: is missing: request it (scope user.info.profile), or wrap the response with its request',
    ]);
  });
});

describe('a user of TikTok’s Research API', () => {
  const { open_id: _, union_id: __, profile_deep_link: ___, username: ____, ...research } = USER;
  const document = { data: { ...research, bio_url: 'https://www.youtube.com/@mockchannel' }, error: OK };

  it.each([
    ['an object', { username: 'mockdancer' }],
    ['text', '{"username":"mockdancer"}'],
    ['a request with its body', { method: 'POST', body: '{"username":"mockdancer"}' }],
  ])('has the handle in its request, given as %s', (__, request) => {
    expect(of('profile', document, { request })[0]).toMatchObject({
      id: 'mockdancer',
      known: { name: 'mockdancer', display_name: 'Mock Dancer', statistics: { followers: 321 } },
    });
  });

  it('links to the page in its biography', () => {
    expect(of('link', document, { request: { username: 'mockdancer' } })[0]?.url).toBe(
      'https://www.youtube.com/@mockchannel',
    );
  });

  it.each([null, 'not JSON', { query: 1 }])('without a handle in its request is rejected %#', (request) => {
    expect(rejected(document, { request })).toEqual([
      'data.username: is missing: request it (scope user.info.profile), or wrap the response with its request',
    ]);
  });
});

const VIDEO = {
  id: '7316000000000000001',
  create_time: 1700000000,
  cover_image_url: 'https://i.example/c.jpg',
  share_url: 'https://www.tiktok.com/@mockdancer/video/7316000000000000001?utm_campaign=x&utm_source=y',
  video_description: 'Dance #mock',
  duration: 15,
  title: 'Dance #mock',
  like_count: 10,
  comment_count: 2,
  share_count: 1,
  view_count: 300,
};
const videos = (...all: object[]) => ({ data: { videos: all, cursor: 1700000000000, has_more: false }, error: OK });

describe('a video of TikTok’s Display API', () => {
  it('becomes a short', () => {
    expect(of('content', videos(VIDEO), FETCHED)).toEqual([
      {
        kind: 'content',
        platform: 'short_platform',
        id: '7316000000000000001',
        observedAt: FETCHED.fetchedAt,
        author: { handle: 'mockdancer' },
        known: {
          type: 'short',
          title: null,
          description: 'Dance #mock',
          created_at: '2023-11-14T22:13:20.000Z',
          duration: 15_000,
          url: 'https://www.tiktok.com/@mockdancer/video/7316000000000000001',
          statistics: { views: { sum: 300 }, likes: { sum: 10 }, comments: { sum: 2, avg: null } },
        },
      },
    ]);
  });

  it('has a title if it differs from the description', () => {
    expect(content(videos({ ...VIDEO, title: 'My dance' }))?.title).toBe('My dance');
  });

  it('with pictures is a post', () => {
    expect(content(videos({ ...VIDEO, duration: 0 }))?.type).toBe('post');
    expect(content(videos({ ...VIDEO, share_url: 'https://www.tiktok.com/@mockdancer/photo/1' }))?.type).toBe('post');
  });

  it('omits fields that were not requested', () => {
    expect(map(videos({ id: '1', create_time: 1 })).fragments).toMatchObject([{ author: null }]);
    expect(content(videos({ id: '1', create_time: 1 }))).toEqual({
      type: 'short',
      created_at: '1970-01-01T00:00:01.000Z',
      statistics: {},
    });
  });
});

describe('a video of TikTok’s Research API', () => {
  const research = {
    id: '702874395068494965',
    username: 'mockdancer',
    region_code: 'DE',
    create_time: 1633823999,
    video_description: '',
    music_id: '6925000000000000001',
    video_duration: 12,
    like_count: 760,
    comment_count: 6,
    share_count: 0,
    view_count: 10900,
    hashtag_names: ['mock'],
  };

  it('becomes a short by the handle it contains', () => {
    expect(of('content', videos(research))[0]).toMatchObject({
      id: '702874395068494965',
      author: { handle: 'mockdancer' },
      known: {
        type: 'short',
        description: null,
        duration: 12_000,
        url: 'https://www.tiktok.com/@mockdancer/video/702874395068494965',
        statistics: { views: { sum: 10900 }, likes: { sum: 760 }, comments: { sum: 6, avg: null } },
      },
    });
  });

  it('may contain its ID as video_id', () => {
    expect(of('content', videos({ ...research, id: undefined, video_id: '702874395068494965' }))[0]?.id).toBe(
      '702874395068494965',
    );
  });

  it('whose ID lost digits is rejected', () => {
    expect(rejected(videos({ ...research, id: 2 ** 60 }))).toEqual([
      'data.videos[0].id: must be a string or an integer below 2^53',
    ]);
  });
});

describe('a response of TikTok', () => {
  it.each([
    [display({})],
    [videos(VIDEO)],
    [videos()],
    [{ data: { display_name: 'x', follower_count: 1 }, error: OK }],
  ])('is recognised by its members %#', (document) => {
    expect(tiktok.recognises(document, contextOf({}))).toBe(true);
  });

  it.each([[{ data: [] }], [{ data: { id: '1' } }], [{ authorMeta: {} }]])(
    'is not recognised if it is ambiguous %#',
    (document) => {
      expect(tiktok.recognises(document, contextOf({}))).toBe(false);
    },
  );

  it('is recognised by its request', () => {
    expect(tiktok.recognises({}, contextOf({ url: 'https://open.tiktokapis.com/v2/research/user/info/' }))).toBe(true);
  });

  it('is rejected with the message of its error, and skipped if it is empty', () => {
    expect(rejected({ data: {}, error: { code: 'scope_not_authorized', message: 'no' } })).toEqual([
      ': error response from TikTok: scope_not_authorized no',
    ]);
    expect(rejected({ data: {}, error: OK })).toEqual(['data: must contain a user or videos']);
    expect(skipped(videos())).toEqual(['empty page']);
  });

  it('reports unknown members', () => {
    expect(map(videos({ ...VIDEO, mood: 1 })).unknownMembers).toEqual(['videos.mood']);
  });
});
