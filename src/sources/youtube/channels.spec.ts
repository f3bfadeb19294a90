import { describe, expect, it } from '@jest/globals';
import { reading } from '../../../test/support/sources/mapping.js';
import { youtube } from './youtube.js';

const { of, profile, rejected } = reading(youtube);
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

  it('that hides its subscribers does not tell followers, so that the last known number stays', () => {
    const statistics = { viewCount: '5', hiddenSubscriberCount: true, subscriberCount: '0' };
    expect(profile(channelWith({ statistics }))?.statistics).toEqual({ views_estimated: 5 });
  });

  it('without a handle has a null name, and the URL with its ID', () => {
    const { customUrl: _, ...snippet } = SNIPPET;
    expect(profile(channelWith({ snippet }))).toMatchObject({
      name: null,
      url: `https://www.youtube.com/channel/${CHANNEL_ID}`,
    });
  });

  it('from an old dump has a name that is not a handle', () => {
    expect(profile(channelWith({ snippet: { ...SNIPPET, customUrl: 'mockvanity' } }))).toMatchObject({
      name: 'mockvanity',
      url: `https://www.youtube.com/channel/${CHANNEL_ID}`,
    });
  });

  it.each([
    [{ medium: { url: 'm' }, default: { url: 'd' } }, 'm'],
    [{ default: { url: 'd' } }, 'd'],
    [{}, null],
  ])('has its largest image %#', (thumbnails, url) => {
    expect(profile(channelWith({ snippet: { ...SNIPPET, thumbnails } }))?.profile_image).toBe(url);
  });

  it('from an old dump has its banner under the old name', () => {
    const brandingSettings = { image: { bannerImageUrl: 'https://i.example/old' } };
    expect(profile(channelWith({ brandingSettings }))?.banner_image).toBe('https://i.example/old');
  });

  it('falls back to the language of its branding, and never to its country', () => {
    const { defaultLanguage: _, ...snippet } = SNIPPET;
    expect(profile(channelWith({ snippet, brandingSettings: { channel: { defaultLanguage: 'pt' } } }))?.language).toBe(
      'pt',
    );
    expect(profile(channelWith({ snippet }))?.language).toBeNull();
    expect(profile(channelWith({ snippet, brandingSettings: undefined }))).not.toHaveProperty('language');
  });

  it('omits parts that were not requested', () => {
    const bare = list('channel', { kind: 'youtube#channel', etag: 'e', id: CHANNEL_ID });
    expect(profile(bare)).toEqual({ statistics: {} });
  });

  it('with an invalid count is rejected with the path', () => {
    expect(rejected(channelWith({ statistics: { viewCount: 'many' } }))).toEqual([
      'items[0].statistics.viewCount: must be an integer below 2^53, as a number or as text',
    ]);
  });
});
