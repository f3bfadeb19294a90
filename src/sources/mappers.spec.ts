import { describe, expect, it } from '@jest/globals';
import { contextOf } from '../../test/support/sources/mapping.js';
import { MAPPERS } from './mappers.js';

const recognised = (document: unknown, url?: string): string[] =>
  MAPPERS.filter((mapper) => mapper.recognises(document, contextOf(url === undefined ? {} : { url }))).map(
    ({ source }) => source,
  );

describe('a document without its request', () => {
  it.each([
    ['Helix users', 'twitch', { data: [{ id: '1', login: 'mock', display_name: 'Mock', broadcaster_type: '' }] }],
    ['Helix channels', 'twitch', { data: [{ broadcaster_id: '1', broadcaster_language: 'en' }] }],
    ['Helix followers', 'twitch', { total: 8, data: [], pagination: {} }],
    [
      'Helix streams',
      'twitch',
      { data: [{ id: '1', user_id: '2', viewer_count: 3, started_at: 'x' }], pagination: {} },
    ],
    ['Helix videos', 'twitch', { data: [{ id: '1', stream_id: null, user_id: '2', viewable: 'public' }] }],
    ['Helix games', 'twitch', { data: [{ id: '1', name: 'Mock Quest', box_art_url: 'x', igdb_id: '' }] }],
    ['YouTube channels', 'youtube', { kind: 'youtube#channelListResponse', items: [] }],
    ['one YouTube video', 'youtube', { kind: 'youtube#video', id: 'x' }],
    ['an IGDB game', 'igdb', { id: 1, name: 'Mock Quest', slug: 'mock-quest', first_release_date: 1 }],
    ['an IGDB external game', 'igdb', { id: 1, game: 2, uid: '3', external_game_source: 14 }],
    ['Business Discovery', 'instagram', { business_discovery: { id: '1', username: 'mock' }, id: '2' }],
    ['media of one’s own', 'instagram', { data: [{ id: '1', media_type: 'IMAGE', permalink: 'x' }], paging: {} }],
    ['a TikTok user', 'tiktok', { data: { user: { open_id: 'x', display_name: 'Mock' } }, error: { code: 'ok' } }],
    ['TikTok videos', 'tiktok', { data: { videos: [{ id: '1', create_time: 1 }] }, error: { code: 'ok' } }],
    ['a TikTok scraper’s item', 'tiktok-scraper', { id: '1', text: 'x', authorMeta: { id: '2' } }],
    ['a TikTok scraper’s collection', 'tiktok-scraper', { collector: [{ id: '1', authorMeta: { id: '2' } }] }],
    ['X users', 'x', { data: [{ id: '1', name: 'Mock', username: 'mock' }] }],
    ['X posts', 'x', { data: [{ id: '1', text: 'x', edit_history_tweet_ids: ['1'] }], meta: {} }],
    ['X posts by their new members', 'x', { data: [{ id: '1', text: 'x', edit_history_post_ids: ['1'] }], meta: {} }],
    ['an info.json', 'yt-dlp', { id: 'x', extractor_key: 'Youtube', title: 'x' }],
    ['a file of instaloader', 'instaloader', { node: { shortcode: 'x' }, instaloader: { node_type: 'Post' } }],
    ['a line of twscrape', 'twscrape', { id: '1', _type: 'snscrape.modules.twitter.Tweet' }],
    ['a row of trending videos', 'youtube-trending', { video_id: 'x', trending_date: 'x', channelId: 'x' }],
  ])('such as %s is recognised as %s and as no other source', (_, source, document) => {
    expect(recognised(document)).toEqual([source]);
  });

  it.each([
    ['an empty list', { data: [] }],
    ['an ID and a name', { id: '1', name: 'Mock' }],
    ['an X page of nothing', { meta: { result_count: 0 } }],
    ['an X user by its three members', { id: '1', name: 'Mock', username: 'mock' }],
    ['an IGDB game by its name', { id: 1, name: 'Mock Quest' }],
    ['a TikTok video alone', { id: '1', create_time: 1 }],
    ['an Instagram account by its handle', { id: '1', username: 'mock' }],
    ['a Bluesky profile, which is read only by name', { did: 'did:plc:mock', handle: 'mock.example' }],
    ['a Bluesky feed, which is read only by name', { feed: [{ post: { uri: 'at://x' } }] }],
    ['a record of this service', { platform_id: 'live_platform', id: '1', name: 'mock', statistics: {} }],
    ['an array', []],
    ['a text', 'x'],
    ['nothing', null],
    ['an empty object', {}],
  ])('such as %s is not recognised', (_, document) => {
    expect(recognised(document)).toEqual([]);
  });
});

describe('a document with its request', () => {
  it.each([
    ['twitch', 'https://api.twitch.tv/helix/streams?first=100'],
    ['igdb', 'https://api.igdb.com/v4/games'],
    ['instagram', 'https://graph.instagram.com/v25.0/me/media'],
    ['instagram', 'https://graph.facebook.com/v25.0/1?fields=business_discovery.username(mock)%7Bid%7D'],
    ['tiktok', 'https://open.tiktokapis.com/v2/user/info/'],
    ['x', 'https://api.x.com/2/users/1/tweets'],
    ['x', 'https://api.twitter.com/2/tweets'],
  ])('is recognised as %s by the URL %s', (source, url) => {
    expect(recognised({ data: [] }, url)).toEqual([source]);
  });
});

describe('every source', () => {
  it('has its name on the command line', () => {
    expect(MAPPERS.map(({ source }) => source).sort()).toEqual([
      'bluesky',
      'igdb',
      'instagram',
      'instaloader',
      'tiktok',
      'tiktok-scraper',
      'twitch',
      'twscrape',
      'x',
      'youtube',
      'youtube-trending',
      'yt-dlp',
    ]);
  });

  it.each(MAPPERS.map((mapper) => [mapper.source, mapper] as const))(
    'rejects an unreadable document with a reason: %s',
    (_, mapper) => {
      for (const document of [{}, { data: 5 }, { data: [5] }, { data: [{}] }, { items: [null] }, { error: 'x' }]) {
        const { fragments } = mapper.map(document, contextOf({}));
        expect(fragments.length).toBeGreaterThan(0);
        expect(fragments.every(({ kind }) => kind === 'rejected' || kind === 'skipped')).toBe(true);
      }
    },
  );
});
