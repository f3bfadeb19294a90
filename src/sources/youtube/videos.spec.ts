import { describe, expect, it } from '@jest/globals';
import { contextOf, reading } from '../../../test/support/sources/mapping.js';
import { youtube } from './youtube.js';

const { map, of, content } = reading(youtube);
const FETCHED = { fetchedAt: new Date('2026-11-22T10:00:00Z') };
const CHANNEL_ID = 'UCmockmockmockmockmockmo';

const list = (kind: string, ...items: object[]) => ({
  kind: `youtube#${kind}ListResponse`,
  etag: 'e',
  pageInfo: { totalResults: items.length, resultsPerPage: 50 },
  items,
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

  it('that is live or upcoming has no duration', () => {
    expect(content(videoWith({ contentDetails: { duration: 'P0D' } }))?.duration).toBeNull();
  });

  it('has the same instant with and without milliseconds', () => {
    const snippet = { ...VIDEO_SNIPPET, publishedAt: '2026-05-01T12:00:49.000Z' };
    expect(content(videoWith({ snippet }))?.created_at).toBe('2026-05-01T12:00:49.000Z');
  });

  it('with hidden likes or disabled comments has null for these counts', () => {
    expect(content(videoWith({ statistics: { viewCount: '9' } }))?.statistics).toEqual({
      views: { sum: 9 },
      likes: { sum: null },
      comments: { sum: null, avg: null },
    });
  });

  it('without statistics omits counts', () => {
    expect(content(videoWith({ statistics: undefined }))?.statistics).toEqual({});
  });

  it('without a snippet omits its members', () => {
    const known = content(videoWith({ snippet: undefined }));
    for (const name of ['title', 'description', 'created_at', 'categories', 'tags'])
      expect(known).not.toHaveProperty(name);
    expect(of('content', videoWith({ snippet: undefined }))[0]?.author).toBeNull();
  });

  it('without tags has an empty list', () => {
    expect(content(videoWith({ snippet: { ...VIDEO_SNIPPET, tags: undefined } }))?.tags).toEqual([]);
  });

  it('with an unknown category has only its ID', () => {
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

  it('is the same if Airbyte’s connector wrote its snippet at the top level', () => {
    const { snippet, id, etag: _, ...parts } = VIDEO;
    const flat = { ...parts, ...snippet, videoId: id, id, datetime: '2026-11-22T10:00:00Z' };
    expect(of('content', flat, FETCHED)).toEqual(of('content', VIDEO, FETCHED));
    const { kind: __, ...untold } = flat;
    expect(youtube.recognises(untold, contextOf({}))).toBe(true);
    expect(map(untold, FETCHED)).toEqual(map(VIDEO, FETCHED));
  });
});
