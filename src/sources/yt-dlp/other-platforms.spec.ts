import { describe, expect, it } from '@jest/globals';
import { reading } from '../../../test/support/sources/mapping.js';
import { ytDlp } from './yt-dlp.js';

const { of, content, skipped } = reading(ytDlp);
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
  it('becomes a stream with the ID of the video', () => {
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

  it('has chapters titled by their games', () => {
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

  it('identifies its creator only by login, so it becomes no profile', () => {
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

  it('without the numeric ID of its creator has the handle', () => {
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

  it('is a video under another URL, and has no title', () => {
    const document = { ...INSTAGRAM, webpage_url: 'https://www.instagram.com/p/MoCkCoDe_-1/' };
    expect(content(document)).toMatchObject({ type: 'video', url: 'https://www.instagram.com/p/MoCkCoDe_-1/' });
    expect(content(document)).not.toHaveProperty('title');
  });

  it('from an old version has the handle instead of an ID', () => {
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
  it('becomes a post with the ID of the post, not of its video', () => {
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

  it('without `display_id` has the ID of its video', () => {
    expect(of('content', { ...TWITTER, display_id: undefined })[0]?.id).toBe('1460323600000000000');
  });

  it('without the numeric ID of its author has the handle', () => {
    expect(of('content', { ...TWITTER, channel_id: undefined })[0]?.author).toEqual({ handle: 'mockwriter' });
  });
});
