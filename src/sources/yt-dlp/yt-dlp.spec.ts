import { describe, expect, it } from '@jest/globals';
import { contextOf, reading } from '../../../test/support/mapping.js';
import { ytDlp } from './yt-dlp.js';

const { map, of, profile, content, rejected, skipped } = reading(ytDlp);
const CHANNEL_ID = 'UCmockmockmockmockmockmo';
const EPOCH = 1795341600;
const YOUTUBE = {
  id: 'mockvid0001',
  title: 'How to mock',
  description: 'Like this.',
  uploader: 'Mock Channel',
  uploader_id: '@mockchannel',
  channel: 'Mock Channel',
  channel_id: CHANNEL_ID,
  channel_url: `https://www.youtube.com/channel/${CHANNEL_ID}`,
  channel_follower_count: 1230,
  duration: 253,
  view_count: 1700,
  like_count: 30,
  comment_count: 4,
  categories: ['Gaming'],
  tags: ['mock'],
  live_status: 'not_live',
  media_type: 'video',
  timestamp: 1777636849,
  upload_date: '20260501',
  webpage_url: 'https://www.youtube.com/watch?v=mockvid0001',
  original_url: 'https://www.youtube.com/watch?v=mockvid0001',
  extractor: 'youtube',
  extractor_key: 'Youtube',
  epoch: EPOCH,
  formats: [],
  _type: 'video',
};
const youtube = (members: object) => ({ ...YOUTUBE, ...members });

describe('an info.json of YouTube', () => {
  it('becomes an item, observed when yt-dlp looked', () => {
    expect(of('content', YOUTUBE)).toEqual([
      {
        kind: 'content',
        platform: 'video_platform',
        id: 'mockvid0001',
        observedAt: new Date(EPOCH * 1000),
        author: { id: CHANNEL_ID },
        known: {
          type: 'long',
          title: 'How to mock',
          description: 'Like this.',
          created_at: '2026-05-01T12:00:49.000Z',
          duration: 253_000,
          url: 'https://www.youtube.com/watch?v=mockvid0001',
          categories: [
            {
              id: '20',
              type: 'video_platform_category',
              name: 'Gaming',
              gamedb_id: null,
              gamedb_name: null,
              gamedb_slug: null,
            },
          ],
          tags: [{ id: 'mock', type: 'video_platform_tag', name: 'mock' }],
          statistics: { views: { sum: 1700 }, likes: { sum: 30 }, comments: { sum: 4, avg: null } },
        },
      },
    ]);
  });

  it('holds the channel with its handle and followers', () => {
    expect(of('profile', YOUTUBE)[0]).toMatchObject({
      id: CHANNEL_ID,
      observedAt: new Date(EPOCH * 1000),
      known: {
        name: 'mockchannel',
        display_name: 'Mock Channel',
        url: 'https://www.youtube.com/@mockchannel',
        statistics: { followers: 1230 },
      },
    });
  });

  it.each([
    ['stream', { live_status: 'is_live' }],
    ['stream', { live_status: 'was_live' }],
    ['stream', { live_status: 'post_live' }],
    ['stream', { media_type: 'livestream' }],
    ['short', { media_type: 'short' }],
    ['short', { original_url: 'https://www.youtube.com/shorts/mockvid0001', media_type: null }],
    ['short', { webpage_url: 'https://www.youtube.com/shorts/mockvid0001', media_type: undefined }],
    ['video', { duration: 180 }],
    ['video', { duration: null }],
    ['long', { duration: 180.5 }],
  ])('is a %s %#', (type, members) => {
    expect(content(youtube(members))?.type).toBe(type);
  });

  it('that is to come is skipped', () => {
    expect(skipped(youtube({ live_status: 'is_upcoming' }))).toEqual(['upcoming']);
  });

  it('knows nothing of what is null', () => {
    const known = content(youtube({ description: null, like_count: null, duration: null, tags: null }));
    for (const name of ['description', 'duration', 'tags']) expect(known).not.toHaveProperty(name);
    expect(known?.statistics).not.toHaveProperty('likes');
    expect(profile(youtube({ channel_follower_count: null }))?.statistics).toEqual({});
  });

  it('without a time has midnight of its day', () => {
    expect(content(youtube({ timestamp: null }))?.created_at).toBe('2026-05-01T00:00:00.000Z');
  });

  it('has no category where its name is not known', () => {
    expect(content(youtube({ categories: ['Mocking'] }))).not.toHaveProperty('categories');
  });

  it('of an old version has no handle', () => {
    expect(profile(youtube({ uploader_id: CHANNEL_ID }))).toMatchObject({
      display_name: 'Mock Channel',
      url: `https://www.youtube.com/channel/${CHANNEL_ID}`,
    });
  });
});

const VOD = {
  id: 'v880001',
  title: 'Any percent',
  description: null,
  uploader: 'MockCaster',
  uploader_id: 'mockcaster',
  timestamp: 1777636800,
  duration: 11313,
  view_count: 88,
  chapters: [
    { start_time: 0, end_time: 600.5, title: 'Just Mocking' },
    { start_time: 600.5, end_time: 11313, title: 'Mock Quest' },
  ],
  live_status: 'was_live',
  webpage_url: 'https://www.twitch.tv/videos/880001',
  extractor_key: 'TwitchVod',
  extractor: 'twitch:vod',
};

describe('an info.json of Twitch', () => {
  it('becomes a stream under the number of the video', () => {
    expect(of('content', VOD)[0]).toMatchObject({
      platform: 'live_platform',
      id: '880001',
      author: { handle: 'mockcaster' },
      known: {
        type: 'stream',
        title: 'Any percent',
        created_at: '2026-05-01T12:00:00.000Z',
        duration: 11_313_000,
        url: 'https://www.twitch.tv/videos/880001',
        statistics: { views: { sum: 88 } },
      },
    });
  });

  it('has chapters, which are named after their games', () => {
    expect(content(VOD)?.chapters).toEqual([
      {
        id: '880001-1',
        title: 'Just Mocking',
        description: null,
        created_at: '2026-05-01T12:00:00.000Z',
        ended_at: '2026-05-01T12:10:00.500Z',
        duration: 600_500,
        categories: [],
        tags: [],
        statistics: {},
      },
      expect.objectContaining({ id: '880001-2', title: 'Mock Quest', duration: 10_712_500 }),
    ]);
  });

  it('may have chapters without times', () => {
    expect(content({ ...VOD, timestamp: null, chapters: [{ title: 'Mock Quest' }] })?.chapters).toMatchObject([
      { created_at: null, ended_at: null, duration: null },
    ]);
  });

  it('names its creator by login only, so there is no profile', () => {
    expect(of('profile', VOD)).toEqual([]);
  });
});

const TIKTOK = {
  id: '6907000000000000001',
  title: 'Dance #mock',
  description: 'Dance #mock',
  uploader: 'mockdancer',
  uploader_id: '6825000000000000001',
  channel: 'Mock Dancer',
  channel_id: 'MS4wLjABAAAA',
  timestamp: 1608214517,
  duration: 15,
  view_count: 44800,
  like_count: 3710,
  repost_count: 50,
  comment_count: 68,
  webpage_url: 'https://www.tiktok.com/@mockdancer/video/6907000000000000001',
  extractor_key: 'TikTok',
};

describe('an info.json of TikTok', () => {
  it('becomes a short and a profile', () => {
    expect(of('content', TIKTOK)[0]).toMatchObject({
      platform: 'short_platform',
      id: '6907000000000000001',
      author: { id: '6825000000000000001' },
      known: {
        type: 'short',
        description: 'Dance #mock',
        duration: 15_000,
        url: 'https://www.tiktok.com/@mockdancer/video/6907000000000000001',
        statistics: { views: { sum: 44800 }, likes: { sum: 3710 }, comments: { sum: 68 } },
      },
    });
    expect(of('profile', TIKTOK)[0]).toMatchObject({
      id: '6825000000000000001',
      known: { name: 'mockdancer', display_name: 'Mock Dancer', url: 'https://www.tiktok.com/@mockdancer' },
    });
  });

  it('without a number of its creator has the handle', () => {
    const document = { ...TIKTOK, uploader_id: 'mockdancer' };
    expect(of('content', document)[0]?.author).toEqual({ handle: 'mockdancer' });
    expect(of('profile', document)).toEqual([]);
  });
});

const INSTAGRAM = {
  id: 'MoCkCoDe_-1',
  title: 'Video by mockgrapher',
  description: 'Look',
  uploader: 'Mock Grapher',
  uploader_id: '3141592',
  channel: 'mockgrapher',
  timestamp: 1629226842,
  duration: 12.3456,
  like_count: 5,
  comment_count: 1,
  webpage_url: 'https://www.instagram.com/reel/MoCkCoDe_-1/',
  extractor_key: 'Instagram',
};

describe('an info.json of Instagram', () => {
  it('becomes a short and a profile', () => {
    expect(of('content', INSTAGRAM)[0]).toMatchObject({
      platform: 'photo_platform',
      id: 'MoCkCoDe_-1',
      author: { id: '3141592' },
      known: { type: 'short', duration: 12_346, url: 'https://www.instagram.com/reel/MoCkCoDe_-1/' },
    });
    expect(of('profile', INSTAGRAM)[0]).toMatchObject({
      id: '3141592',
      known: { name: 'mockgrapher', display_name: 'Mock Grapher', url: 'https://www.instagram.com/mockgrapher/' },
    });
  });

  it('is a video under another address, and has no title of its own', () => {
    const document = { ...INSTAGRAM, webpage_url: 'https://www.instagram.com/p/MoCkCoDe_-1/' };
    expect(content(document)).toMatchObject({ type: 'video', url: 'https://www.instagram.com/p/MoCkCoDe_-1/' });
    expect(content(document)).not.toHaveProperty('title');
  });

  it('of an old version has the handle for an ID', () => {
    const document = { ...INSTAGRAM, uploader_id: 'mockgrapher', channel: null };
    expect(of('content', document)[0]?.author).toEqual({ handle: 'mockgrapher' });
  });

  it('that is an album is skipped', () => {
    expect(skipped({ _type: 'playlist', id: 'MoCk', extractor_key: 'Instagram', entries: [] })).toEqual(['album']);
  });
});

const TWITTER = {
  id: '1460323600000000000',
  display_id: '1460323737035677698',
  title: 'Mock Writer - Mock & roll',
  description: 'Mock &amp; roll',
  uploader: 'Mock Writer',
  uploader_id: 'mockwriter',
  channel_id: '1100000000000000001',
  timestamp: 1637003285,
  duration: 34.875,
  like_count: 30,
  comment_count: 2,
  view_count: null,
  webpage_url: 'https://twitter.com/mockwriter/status/1460323737035677698',
  extractor_key: 'Twitter',
};

describe('an info.json of X', () => {
  it('becomes a post under the ID of the post, not of its video', () => {
    expect(of('content', TWITTER)[0]).toMatchObject({
      platform: 'microblog_platform',
      id: '1460323737035677698',
      author: { id: '1100000000000000001' },
      known: {
        type: 'post',
        description: 'Mock & roll',
        duration: 34_875,
        url: 'https://x.com/mockwriter/status/1460323737035677698',
        statistics: { likes: { sum: 30 }, comments: { sum: 2 } },
      },
    });
    expect(of('profile', TWITTER)[0]).toMatchObject({ id: '1100000000000000001', known: { name: 'mockwriter' } });
  });

  it('without the second ID has the first', () => {
    expect(of('content', { ...TWITTER, display_id: undefined })[0]?.id).toBe('1460323600000000000');
  });

  it('without the number of its author has the handle', () => {
    expect(of('content', { ...TWITTER, channel_id: undefined })[0]?.author).toEqual({ handle: 'mockwriter' });
  });
});

describe('a list of yt-dlp', () => {
  const TAB = {
    _type: 'playlist',
    id: CHANNEL_ID,
    title: 'Mock Channel - Videos',
    description: 'About nothing.',
    channel: 'Mock Channel',
    channel_id: CHANNEL_ID,
    channel_follower_count: 1230,
    uploader_id: '@mockchannel',
    thumbnails: [
      { id: 'banner_uncropped', url: 'https://i.example/b' },
      { id: 'avatar_uncropped', url: 'https://i.example/a' },
    ],
    extractor_key: 'YoutubeTab',
    epoch: EPOCH,
    entries: [] as unknown[],
  };

  it('of a channel holds the channel and its items', () => {
    const document = { ...TAB, entries: [YOUTUBE] };
    expect(of('content', document)).toHaveLength(1);
    expect(profile(document)).toEqual({
      name: 'mockchannel',
      display_name: 'Mock Channel',
      url: 'https://www.youtube.com/@mockchannel',
      description: 'About nothing.',
      profile_image: 'https://i.example/a',
      banner_image: 'https://i.example/b',
      statistics: { followers: 1230 },
    });
  });

  it('somebody made has a description of its own', () => {
    expect(profile({ ...TAB, id: 'PLmock' })).not.toHaveProperty('description');
  });

  it('may hold lists', () => {
    expect(of('content', { ...TAB, entries: [{ ...TAB, entries: [YOUTUBE] }] })).toHaveLength(1);
  });

  it('may have entries that failed, and flat ones', () => {
    const flat = {
      _type: 'url',
      ie_key: 'Youtube',
      id: 'mockvid0002',
      url: 'https://www.youtube.com/watch?v=mockvid0002',
    };
    expect(skipped({ ...TAB, entries: [null, flat] })).toEqual(['entry that could not be downloaded', 'flat entry']);
  });

  it('proves that an entry under such an address is a short', () => {
    const flat = {
      _type: 'url',
      ie_key: 'Youtube',
      id: 'mockvid0002',
      url: 'https://www.youtube.com/shorts/mockvid0002',
    };
    expect(of('form-proof', { ...TAB, entries: [flat] })).toEqual([
      { kind: 'form-proof', platform: 'video_platform', contentId: 'mockvid0002', type: 'short' },
    ]);
  });

  it('tells which entry cannot be read', () => {
    expect(rejected({ ...TAB, entries: [YOUTUBE, { ...YOUTUBE, title: 5 }] })).toEqual([
      'entries[1].title: must be a string',
    ]);
  });
});

describe('a document of yt-dlp', () => {
  it('is known by its extractor', () => {
    expect(ytDlp.recognises(YOUTUBE, contextOf({}))).toBe(true);
    expect(ytDlp.recognises({ _type: 'url', ie_key: 'Youtube', id: 'x' }, contextOf({}))).toBe(true);
    expect(ytDlp.recognises({ id: 'x', title: 'x' }, contextOf({}))).toBe(false);
  });

  it('of another site is skipped', () => {
    expect(skipped({ id: '1', extractor_key: 'Vimeo' })).toEqual(['extractor Vimeo']);
  });

  it('may have members that are new, which are counted', () => {
    expect(map(youtube({ mood: 1 })).unknownMembers).toEqual(['info.mood']);
    expect(map(YOUTUBE).unknownMembers).toEqual([]);
  });
});
