import { describe, expect, it } from '@jest/globals';
import { contextOf, reading } from '../../../test/support/mapping.js';
import { categoryId, categoryName } from './category-names.js';
import { youtube } from './youtube.js';

const { map, of, profile, content, rejected, skipped } = reading(youtube);
const FETCHED = { fetchedAt: new Date('2026-11-22T10:00:00Z') };
const CHANNEL_ID = 'UCmockmockmockmockmockmo';

const list = (kind: string, ...items: object[]) => ({
  kind: `youtube#${kind}ListResponse`,
  etag: 'e',
  pageInfo: { totalResults: items.length, resultsPerPage: 50 },
  items,
});

const SNIPPET = {
  title: 'Mock Channel',
  description: 'About nothing.',
  customUrl: '@mockchannel',
  publishedAt: '2012-01-01T00:00:00Z',
  country: 'DE',
  defaultLanguage: 'en',
  thumbnails: {
    default: { url: 'https://i.example/d' },
    medium: { url: 'https://i.example/m' },
    high: { url: 'https://i.example/h' },
  },
};
const CHANNEL = {
  kind: 'youtube#channel',
  etag: 'e',
  id: CHANNEL_ID,
  snippet: SNIPPET,
  statistics: {
    viewCount: '3000000000000000',
    subscriberCount: '1230',
    hiddenSubscriberCount: false,
    videoCount: '12',
  },
  brandingSettings: { channel: { title: 'Mock Channel' }, image: { bannerExternalUrl: 'https://i.example/b' } },
};
const channelWith = (members: object) => list('channel', { ...CHANNEL, ...members });

describe('a YouTube channel', () => {
  it('becomes a profile', () => {
    expect(of('profile', channelWith({}), FETCHED)).toEqual([
      {
        kind: 'profile',
        platform: 'video_platform',
        id: CHANNEL_ID,
        observedAt: FETCHED.fetchedAt,
        known: {
          name: 'mockchannel',
          display_name: 'Mock Channel',
          url: 'https://www.youtube.com/@mockchannel',
          description: 'About nothing.',
          profile_image: 'https://i.example/h',
          banner_image: 'https://i.example/b',
          language: 'en',
          statistics: { followers: 1230, views_estimated: 3000000000000000 },
        },
      },
    ]);
  });

  it('that hides its subscribers has none that are known', () => {
    const statistics = { viewCount: '5', hiddenSubscriberCount: true, subscriberCount: '0' };
    expect(profile(channelWith({ statistics }))?.statistics).toEqual({ followers: null, views_estimated: 5 });
  });

  it('without a handle has none, and the address of its ID', () => {
    const { customUrl: _, ...snippet } = SNIPPET;
    expect(profile(channelWith({ snippet }))).toMatchObject({
      name: null,
      url: `https://www.youtube.com/channel/${CHANNEL_ID}`,
    });
  });

  it('of an old dump has a name that is no handle', () => {
    expect(profile(channelWith({ snippet: { ...SNIPPET, customUrl: 'mockvanity' } }))).toMatchObject({
      name: 'mockvanity',
      url: `https://www.youtube.com/channel/${CHANNEL_ID}`,
    });
  });

  it.each([
    [{ medium: { url: 'm' }, default: { url: 'd' } }, 'm'],
    [{ default: { url: 'd' } }, 'd'],
    [{}, null],
  ])('has the largest image there is %#', (thumbnails, url) => {
    expect(profile(channelWith({ snippet: { ...SNIPPET, thumbnails } }))?.profile_image).toBe(url);
  });

  it('of an old dump has its banner under the old name', () => {
    const brandingSettings = { image: { bannerImageUrl: 'https://i.example/old' } };
    expect(profile(channelWith({ brandingSettings }))?.banner_image).toBe('https://i.example/old');
  });

  it('has the language of its branding where the snippet has none, and never its country', () => {
    const { defaultLanguage: _, ...snippet } = SNIPPET;
    expect(profile(channelWith({ snippet, brandingSettings: { channel: { defaultLanguage: 'pt' } } }))?.language).toBe(
      'pt',
    );
    expect(profile(channelWith({ snippet }))?.language).toBeNull();
    expect(profile(channelWith({ snippet, brandingSettings: undefined }))).not.toHaveProperty('language');
  });

  it('says nothing of parts that were not asked for', () => {
    const bare = list('channel', { kind: 'youtube#channel', etag: 'e', id: CHANNEL_ID });
    expect(profile(bare)).toEqual({ statistics: {} });
  });

  it('with a count that is none is rejected with its path', () => {
    expect(rejected(channelWith({ statistics: { viewCount: 'many' } }))).toEqual([
      'items[0].statistics.viewCount: must be an integer below 2^53, as a number or as text',
    ]);
  });
});

const VIDEO_SNIPPET = {
  publishedAt: '2026-05-01T12:00:49Z',
  channelId: CHANNEL_ID,
  title: 'How to mock',
  description: '',
  thumbnails: {},
  channelTitle: 'Mock Channel',
  tags: ['mock', 'how to'],
  categoryId: '27',
  liveBroadcastContent: 'none',
  localized: { title: 'Anders', description: '' },
};
const VIDEO = {
  kind: 'youtube#video',
  etag: 'e',
  id: 'mockvid0001',
  snippet: VIDEO_SNIPPET,
  contentDetails: { duration: 'PT4M13S', definition: 'hd', caption: 'true' },
  statistics: { viewCount: '1000', likeCount: '30', favoriteCount: '0', commentCount: '4' },
};
const videoWith = (members: object) => list('video', { ...VIDEO, ...members });
const short = { contentDetails: { duration: 'PT59S' } };

describe('a YouTube video', () => {
  it('becomes an item', () => {
    expect(of('content', videoWith({}), FETCHED)).toEqual([
      {
        kind: 'content',
        platform: 'video_platform',
        id: 'mockvid0001',
        observedAt: FETCHED.fetchedAt,
        author: { id: CHANNEL_ID },
        known: {
          type: 'long',
          title: 'How to mock',
          description: null,
          created_at: '2026-05-01T12:00:49.000Z',
          duration: 253_000,
          url: 'https://www.youtube.com/watch?v=mockvid0001',
          categories: [
            {
              id: '27',
              type: 'video_platform_category',
              name: 'Education',
              gamedb_id: null,
              gamedb_name: null,
              gamedb_slug: null,
            },
          ],
          tags: [
            { id: 'mock', type: 'video_platform_tag', name: 'mock' },
            { id: 'how to', type: 'video_platform_tag', name: 'how to' },
          ],
          statistics: { views: { sum: 1000 }, likes: { sum: 30 }, comments: { sum: 4, avg: null } },
        },
      },
    ]);
  });

  it('that is live or to come has no length', () => {
    expect(content(videoWith({ contentDetails: { duration: 'P0D' } }))?.duration).toBeNull();
  });

  it('has the same instant with and without milliseconds', () => {
    const snippet = { ...VIDEO_SNIPPET, publishedAt: '2026-05-01T12:00:49.000Z' };
    expect(content(videoWith({ snippet }))?.created_at).toBe('2026-05-01T12:00:49.000Z');
  });

  it('that hides its likes or refuses comments has counts that are not known', () => {
    expect(content(videoWith({ statistics: { viewCount: '9' } }))?.statistics).toEqual({
      views: { sum: 9 },
      likes: { sum: null },
      comments: { sum: null, avg: null },
    });
  });

  it('without statistics says nothing of counts', () => {
    expect(content(videoWith({ statistics: undefined }))?.statistics).toEqual({});
  });

  it('without a snippet says nothing of it', () => {
    const known = content(videoWith({ snippet: undefined }));
    for (const name of ['title', 'description', 'created_at', 'categories', 'tags'])
      expect(known).not.toHaveProperty(name);
    expect(of('content', videoWith({ snippet: undefined }))[0]?.author).toBeNull();
  });

  it('without tags has none', () => {
    expect(content(videoWith({ snippet: { ...VIDEO_SNIPPET, tags: undefined } }))?.tags).toEqual([]);
  });

  it('of a category nobody knows has its ID only', () => {
    expect(content(videoWith({ snippet: { ...VIDEO_SNIPPET, categoryId: '99' } }))?.categories).toMatchObject([
      { id: '99', name: null },
    ]);
  });

  it.each([
    ['stream', 'was broadcast', { liveStreamingDetails: {} }],
    ['stream', 'is live', { snippet: { ...VIDEO_SNIPPET, liveBroadcastContent: 'live' } }],
    ['stream', 'is to be broadcast', { snippet: { ...VIDEO_SNIPPET, liveBroadcastContent: 'upcoming' } }],
    [
      'stream',
      'was broadcast, however short and upright',
      { ...short, player: { embedHeight: '16', embedWidth: '9' }, liveStreamingDetails: {} },
    ],
    ['short', 'is short and upright', { ...short, player: { embedHeight: '480', embedWidth: '270' } }],
    ['short', 'is short and square', { ...short, player: { embedHeight: '480', embedWidth: '480' } }],
    ['video', 'is short and wide', { ...short, player: { embedHeight: '270', embedWidth: '480' } }],
    ['video', 'is short, which alone proves nothing', short],
    ['video', 'lasts just three minutes', { contentDetails: { duration: 'PT3M' } }],
    ['long', 'lasts longer', { contentDetails: { duration: 'PT3M1S' } }],
    ['long', 'lasts longer, however upright', { player: { embedHeight: '480', embedWidth: '270' } }],
    ['video', 'is known by its length only', { snippet: undefined }],
    ['video', 'is of unknown length', { contentDetails: undefined }],
  ])('is a %s if it %s', (type, _, members) => {
    expect(content(videoWith(members))?.type).toBe(type);
  });
});

describe('other resources of YouTube', () => {
  const entry = (playlistId: string) => ({
    kind: 'youtube#playlistItem',
    etag: 'e',
    id: 'x',
    snippet: {
      playlistId,
      publishedAt: '2026-01-01T00:00:00Z',
      resourceId: { kind: 'youtube#video', videoId: 'mockvid0001' },
    },
    contentDetails: { videoId: 'mockvid0001', videoPublishedAt: '2026-01-01T00:00:00Z' },
  });

  it.each([
    ['UUSH', 'short'],
    ['UULF', 'long'],
    ['UULV', 'stream'],
  ])('prove the form of an item by the list %s', (prefix, type) => {
    expect(of('form-proof', list('playlistItem', entry(`${prefix}mockmockmockmockmockmo`)))).toEqual([
      { kind: 'form-proof', platform: 'video_platform', contentId: 'mockvid0001', type },
    ]);
  });

  it('prove it by the request as well', () => {
    const { snippet: _, ...bare } = entry('');
    const url = 'https://www.googleapis.com/youtube/v3/playlistItems?playlistId=UUSHmockmockmockmockmockmo';
    expect(of('form-proof', list('playlistItem', bare), { url })).toMatchObject([{ type: 'short' }]);
  });

  it('prove nothing by the list of all uploads', () => {
    expect(skipped(list('playlistItem', entry('UUmockmockmockmockmockmo')))).toEqual(['playlist item']);
  });

  it('name categories', () => {
    const category = {
      kind: 'youtube#videoCategory',
      etag: 'e',
      id: '99',
      snippet: { title: 'Mocking', assignable: true },
    };
    expect(map(list('videoCategory', category)).fragments).toEqual([
      { kind: 'category-name', platform: 'video_platform', id: '99', name: 'Mocking' },
    ]);
  });

  it('are skipped if they are results of a search, whose titles are escaped', () => {
    const result = { kind: 'youtube#searchResult', id: { videoId: 'mockvid0001' }, snippet: { title: 'It&#39;s' } };
    expect(skipped(list('search', result))).toEqual(['search result']);
  });

  it('are skipped if nobody needs them', () => {
    expect(skipped(list('commentThread', { kind: 'youtube#commentThread' }))).toEqual(['youtube#commentThread']);
    expect(skipped(list('video'))).toEqual(['empty page']);
  });

  it('are rejected without a kind, and with what an error says', () => {
    expect(rejected(list('video', { id: 'x' }))).toEqual(['items[0].kind: is missing']);
    expect(rejected({ error: { code: 403, message: 'quota exceeded', errors: [] } })).toEqual([
      ': an error response of YouTube: 403 quota exceeded',
    ]);
  });

  it('are known by their kind', () => {
    expect(youtube.recognises(videoWith({}), contextOf({}))).toBe(true);
    expect(youtube.recognises(VIDEO, contextOf({}))).toBe(true);
    expect(youtube.recognises({ kind: 'video' }, contextOf({}))).toBe(false);
  });

  it('count members nobody has heard of', () => {
    expect(map(videoWith({ holograms: {} })).unknownMembers).toEqual(['video.holograms']);
  });
});

describe('the names of video categories', () => {
  it('are found by ID and the other way round', () => {
    expect([categoryName('20'), categoryId('Gaming')]).toEqual(['Gaming', '20']);
    expect([categoryName('999'), categoryId('Mocking')]).toEqual([null, null]);
  });

  it('mean the assignable one of two of the same name', () => {
    expect(categoryId('Comedy')).toBe('23');
  });
});
