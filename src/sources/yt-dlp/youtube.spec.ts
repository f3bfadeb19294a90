import { describe, expect, it } from '@jest/globals';
import { reading } from '../../../test/support/sources/mapping.js';
import { ytDlp } from './yt-dlp.js';

const { of, profile, content, skipped } = reading(ytDlp);
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
  it('becomes an item observed at `epoch`', () => {
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

  it('becomes a profile of the channel with its handle and followers', () => {
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

  it('that is upcoming is skipped', () => {
    expect(skipped(youtube({ live_status: 'is_upcoming' }))).toEqual(['upcoming']);
  });

  it('omits null members', () => {
    const known = content(youtube({ description: null, like_count: null, duration: null, tags: null }));
    for (const name of ['description', 'duration', 'tags']) expect(known).not.toHaveProperty(name);
    expect(known?.statistics).not.toHaveProperty('likes');
    expect(profile(youtube({ channel_follower_count: null }))?.statistics).toEqual({});
  });

  it('without a time was created at midnight', () => {
    expect(content(youtube({ timestamp: null }))?.created_at).toBe('2026-05-01T00:00:00.000Z');
  });

  it('has no category if the name is unknown', () => {
    expect(content(youtube({ categories: ['Mocking'] }))).not.toHaveProperty('categories');
  });

  it('from an old version has no handle', () => {
    expect(profile(youtube({ uploader_id: CHANNEL_ID }))).toMatchObject({
      display_name: 'Mock Channel',
      url: `https://www.youtube.com/channel/${CHANNEL_ID}`,
    });
  });
});
