import { describe, expect, it } from '@jest/globals';
import { contextOf, reading } from '../../../test/support/sources/mapping.js';
import { ytDlp } from './yt-dlp.js';

const { map, of, profile, rejected, skipped } = reading(ytDlp);
const CHANNEL_ID = 'UCmockmockmockmockmockmo';
const EPOCH = 1795341600;
const YOUTUBE = {
  id: 'mockvid0001',
  title: 'How to mock',
  extractor_key: 'Youtube',
  extractor: 'youtube',
  formats: [],
};

describe('a playlist of yt-dlp', () => {
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

  it('of a channel becomes the channel and its items', () => {
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

  it('made by a user does not describe its channel', () => {
    expect(profile({ ...TAB, id: 'PLmock' })).not.toHaveProperty('description');
  });

  it('may contain playlists', () => {
    expect(of('content', { ...TAB, entries: [{ ...TAB, entries: [YOUTUBE] }] })).toHaveLength(1);
  });

  it('skips failed and flat entries', () => {
    const flat = {
      _type: 'url',
      ie_key: 'Youtube',
      id: 'mockvid0002',
      url: 'https://www.youtube.com/watch?v=mockvid0002',
    };
    expect(skipped({ ...TAB, entries: [null, flat] })).toEqual(['entry that could not be downloaded', 'flat entry']);
  });

  it('proves that an entry with the URL of a Short is one', () => {
    const flat = {
      _type: 'url',
      ie_key: 'Youtube',
      id: 'mockvid0002',
      url: 'https://www.youtube.com/shorts/mockvid0002',
    };
    expect(of('type-proof', { ...TAB, entries: [flat] })).toEqual([
      { kind: 'type-proof', platform: 'video_platform', contentId: 'mockvid0002', type: 'short' },
    ]);
  });

  it('rejects an invalid entry with its index', () => {
    expect(rejected({ ...TAB, entries: [YOUTUBE, { ...YOUTUBE, title: 5 }] })).toEqual([
      'entries[1].title: must be a string',
    ]);
  });
});

describe('a document of yt-dlp', () => {
  it('is recognised by its extractor', () => {
    expect(ytDlp.recognises(YOUTUBE, contextOf({}))).toBe(true);
    expect(ytDlp.recognises({ _type: 'url', ie_key: 'Youtube', id: 'x' }, contextOf({}))).toBe(true);
    expect(ytDlp.recognises({ id: 'x', title: 'x' }, contextOf({}))).toBe(false);
  });

  it('from another site is skipped', () => {
    expect(skipped({ id: '1', extractor_key: 'Vimeo' })).toEqual(['extractor Vimeo']);
  });

  it('reports unknown members', () => {
    expect(map({ ...YOUTUBE, mood: 1 }).unknownMembers).toEqual(['info.mood']);
    expect(map(YOUTUBE).unknownMembers).toEqual([]);
  });
});
