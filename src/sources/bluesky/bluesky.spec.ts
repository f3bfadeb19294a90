import { describe, expect, it } from '@jest/globals';
import { contextOf, reading } from '../../../test/support/sources/mapping.js';
import { bluesky } from './bluesky.js';

const { map, of, profile, rejected, skipped } = reading(bluesky);
const DID = 'did:plc:mockmockmockmockmockmock';
const PROFILE = {
  did: DID,
  handle: 'mock.bsky.example',
  displayName: 'Mock Writer',
  description: 'Writes. twitch.tv/mockcaster',
  avatar: 'https://cdn.example/a',
  banner: 'https://cdn.example/b',
  followersCount: 12,
  postsCount: 5,
};
const POST = {
  uri: `at://${DID}/app.bsky.feed.post/3kmock`,
  cid: 'bafy',
  author: { did: DID, handle: 'mock.bsky.example', displayName: 'Mock Writer' },
  record: { $type: 'app.bsky.feed.post', text: 'Mock & roll', createdAt: '2026-05-01T12:00:00.123Z' },
  likeCount: 3,
  replyCount: 1,
  repostCount: 0,
  quoteCount: 0,
  indexedAt: '2026-05-01T12:00:01.000Z',
};

describe('a profile on Bluesky', () => {
  it('becomes a profile whose ID is the DID', () => {
    expect(of('profile', PROFILE)[0]).toMatchObject({
      platform: 'microblog_platform',
      id: DID,
      known: {
        name: 'mock.bsky.example',
        display_name: 'Mock Writer',
        url: 'https://bsky.app/profile/mock.bsky.example',
        description: 'Writes. twitch.tv/mockcaster',
        profile_image: 'https://cdn.example/a',
        banner_image: 'https://cdn.example/b',
        statistics: { followers: 12 },
      },
    });
    expect(of('profile', { profiles: [PROFILE, PROFILE] })).toHaveLength(2);
  });
});

describe('a post on Bluesky', () => {
  it('becomes a post', () => {
    expect(of('content', { feed: [{ post: POST }], cursor: 'x' })[0]).toMatchObject({
      platform: 'microblog_platform',
      id: POST.uri,
      author: { id: DID },
      known: {
        type: 'post',
        description: 'Mock & roll',
        created_at: '2026-05-01T12:00:00.123Z',
        url: 'https://bsky.app/profile/mock.bsky.example/post/3kmock',
        statistics: { likes: { sum: 3 }, comments: { sum: 1, avg: null } },
      },
    });
    expect(profile({ posts: [POST] })).toMatchObject({ name: 'mock.bsky.example' });
  });

  it('keeps its text, which is not escaped', () => {
    const record = { ...POST.record, text: 'R&amp;D' };
    expect(of('content', { ...POST, record })[0]?.known.description).toBe('R&amp;D');
  });

  it('that is a repost is skipped, and a pinned one is not', () => {
    const entry = (type: string) => ({ post: POST, reason: { $type: `app.bsky.feed.defs#${type}` } });
    expect(skipped({ feed: [entry('reasonRepost')] })).toEqual(['repost']);
    expect(of('content', { feed: [entry('reasonPin')] })).toHaveLength(1);
  });

  it('without an author belongs to the DID in its URI', () => {
    expect(of('content', { ...POST, author: undefined })[0]?.author).toEqual({ id: DID });
  });
});

describe('a response of Bluesky', () => {
  it('is recognised only by the name of the source', () => {
    for (const document of [PROFILE, POST, { feed: [] }])
      expect(bluesky.recognises(document, contextOf({}))).toBe(false);
  });

  it('is rejected if it is an error or unknown', () => {
    expect(rejected({ error: 'InvalidRequest', message: 'no' })).toEqual([
      ': error response from Bluesky: InvalidRequest',
    ]);
    expect(rejected({ likes: [] })).toEqual([': unknown response of Bluesky; supported are profiles, posts and feeds']);
    expect(rejected({ feed: [{}] })).toEqual(['feed[0].post: is missing']);
  });

  it('reports unknown members', () => {
    expect(map({ ...PROFILE, mood: 1 }).unknownMembers).toEqual(['profiles.mood']);
  });
});
