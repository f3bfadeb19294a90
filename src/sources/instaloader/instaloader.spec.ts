import { describe, expect, it } from '@jest/globals';
import { contextOf, reading } from '../../../test/support/sources/mapping.js';
import { instaloader } from './instaloader.js';
import { encodeShortcode } from './posts.js';

const { map, of, profile, content, rejected, skipped } = reading(instaloader);
const FETCHED = { fetchedAt: new Date('2026-11-22T10:00:00Z') };
const NODE = {
  __typename: 'GraphImage',
  id: '2900000000000000001',
  shortcode: 'MoCkCoDe_-1',
  is_video: false,
  edge_media_to_caption: { edges: [{ node: { text: 'Look at this mock' } }] },
  taken_at_timestamp: 1629226842,
  edge_media_preview_like: { count: 120, edges: [] },
  edge_media_to_parent_comment: { count: 7 },
  edge_media_to_comment: { count: 9 },
  owner: { id: '3141592', username: 'mockgrapher' },
};
const file = (node: object, node_type = 'Post') => ({ node, instaloader: { version: '4.14', node_type } });
const post = (members: object) => file({ ...NODE, ...members });

describe('a post of instaloader', () => {
  it('becomes an item', () => {
    expect(of('content', post({}), FETCHED)).toEqual([
      {
        kind: 'content',
        platform: 'photo_platform',
        id: 'MoCkCoDe_-1',
        observedAt: FETCHED.fetchedAt,
        author: { id: '3141592' },
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
    ['post', { __typename: 'GraphSidecar' }],
    ['post', { __typename: undefined, is_video: undefined }],
    ['video', { __typename: 'GraphVideo', is_video: undefined }],
    ['video', { __typename: undefined, is_video: true, product_type: 'feed' }],
    ['short', { is_video: true, product_type: 'clips' }],
    ['short', { is_video: true, iphone_struct: { product_type: 'clips' } }],
  ])('is a %s %#', (type, members) => {
    expect(content(post(members))?.type).toBe(type);
  });

  it.each([
    ['code', { shortcode: undefined, code: 'Other' }, 'Other'],
    ['app', { shortcode: undefined, iphone_struct: { code: 'Other' } }, 'Other'],
    ['number', { shortcode: undefined, id: '2900000000000000001' }, 'Cg-3qKYogAB'],
  ])('may have its ID in its %s', (_, members, id) => {
    expect(of('content', post(members))[0]?.id).toBe(id);
  });

  it('without an ID is rejected', () => {
    expect(rejected(post({ shortcode: undefined, id: undefined }))).toEqual(['node.shortcode: is missing']);
  });

  it.each([
    ['told as -1', { edge_media_preview_like: { count: -1 } }],
    [
      'flagged, with a number that means nothing',
      { like_and_view_counts_disabled: true, edge_media_preview_like: { count: 3 } },
    ],
    ['flagged in the app’s part', { iphone_struct: { like_and_view_counts_disabled: true } }],
  ])('has null for hidden likes: %s', (_, members) => {
    expect(content(post(members))?.statistics?.likes).toEqual({ sum: null });
  });

  it('has its comment count under any of three names', () => {
    expect(content(post({ edge_media_to_parent_comment: undefined }))?.statistics?.comments?.sum).toBe(9);
    const bare = { edge_media_to_parent_comment: undefined, edge_media_to_comment: undefined };
    expect(content(post({ ...bare, comments: 4 }))?.statistics?.comments?.sum).toBe(4);
    expect(content(post({ ...bare, comments: { count: 5 } }))?.statistics?.comments?.sum).toBe(5);
    expect(content(post(bare))?.statistics).not.toHaveProperty('comments');
  });

  it('that is a video has a duration and views', () => {
    const video = { is_video: true, video_duration: 12.3456, video_view_count: 800, video_play_count: 900 };
    expect(content(post(video))).toMatchObject({ duration: 12_346, statistics: { views: { sum: 900 } } });
    expect(content(post({ ...video, video_play_count: undefined }))).toMatchObject({
      statistics: { views: { sum: 800 } },
    });
  });

  it('without a caption has a null description', () => {
    expect(content(post({ edge_media_to_caption: { edges: [] } }))?.description).toBeNull();
  });

  it('may have its caption in other members', () => {
    const without = { edge_media_to_caption: undefined };
    expect(content(post({ ...without, caption: 'Look' }))?.description).toBe('Look');
    expect(content(post({ ...without, caption: { text: 'Look' } }))?.description).toBe('Look');
  });

  it('from an old version is the file itself', () => {
    const { taken_at_timestamp: _, ...old } = NODE;
    expect(instaloader.recognises(old, contextOf({}))).toBe(true);
    expect(content({ ...old, date: 1629226842 })?.created_at).toBe('2021-08-17T19:00:42.000Z');
  });
});

describe('the shortcode of a number', () => {
  it.each([
    ['1', 'B'],
    ['64', 'BA'],
    ['2900000000000000001', 'Cg-3qKYogAB'],
  ])('of %s encodes six bits per letter', (number) => {
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const value = (encodeShortcode(number) ?? '')
      .split('')
      .reduce((sum, letter) => sum * 64n + BigInt(letters.indexOf(letter)), 0n);
    expect(String(value)).toBe(number);
  });

  it('ignores the owner’s ID after it', () => {
    expect(encodeShortcode('64_3141592')).toBe('BA');
  });

  it.each(['', '0', 'abc', '123456789012345678901'])('is null for "%s"', (number) => {
    expect(encodeShortcode(number)).toBeNull();
  });
});

describe('a profile of instaloader', () => {
  const PROFILE = {
    id: '3141592',
    username: 'mockgrapher',
    full_name: 'Mock Grapher',
    biography: 'Pictures.',
    profile_pic_url_hd: 'https://i.example/p.jpg',
    edge_followed_by: { count: 4200 },
    external_url: 'https://www.twitch.tv/mockcaster',
    bio_links: [{ url: 'https://x.com/mockwriter' }],
  };

  it('becomes a profile', () => {
    expect(of('profile', file(PROFILE, 'Profile'))[0]).toMatchObject({
      id: '3141592',
      known: {
        name: 'mockgrapher',
        display_name: 'Mock Grapher',
        url: 'https://www.instagram.com/mockgrapher/',
        description: 'Pictures.',
        profile_image: 'https://i.example/p.jpg',
        statistics: { followers: 4200 },
      },
    });
    expect(of('link', file(PROFILE, 'Profile')).map(({ url }) => url)).toEqual([
      'https://www.twitch.tv/mockcaster',
      'https://x.com/mockwriter',
    ]);
  });

  it('from the app has other member names', () => {
    const app = {
      pk: 3141592,
      username: 'mockgrapher',
      follower_count: 1,
      hd_profile_pic_url_info: { url: 'https://i.example/hd.jpg' },
    };
    expect(of('profile', file(app, 'Profile'))[0]?.id).toBe('3141592');
    expect(profile(file(app, 'Profile'))).toMatchObject({
      profile_image: 'https://i.example/hd.jpg',
      statistics: { followers: 1 },
    });
  });
});

describe('a file of instaloader', () => {
  it.each(['StoryItem', 'Hashtag', 'FrozenNodeIterator'])('of the type %s is skipped', (type) => {
    expect(skipped(file({}, type))).toEqual([`instaloader ${type}`]);
  });

  it('is recognised by its members', () => {
    expect(instaloader.recognises(post({}), contextOf({}))).toBe(true);
    expect(instaloader.recognises({ shortcode: 'x' }, contextOf({}))).toBe(false);
    expect(instaloader.recognises({ node: {} }, contextOf({}))).toBe(false);
  });

  it('reports unknown members', () => {
    expect(map(post({ mood: 1 })).unknownMembers).toEqual(['Post.mood']);
  });
});
