import { describe, expect, it } from '@jest/globals';
import { contextOf, reading } from '../../../test/support/sources/mapping.js';
import { twscrape } from './twscrape.js';

const { map, of, profile, content, rejected, skipped } = reading(twscrape);
const USER = {
  id: 1100000001,
  id_str: '1100000001',
  url: 'https://x.com/mockwriter',
  username: 'mockwriter',
  displayname: 'Mock Writer',
  rawDescription: 'Writes.',
  created: '1970-01-01 00:00:00+00:00',
  followersCount: 900,
  profileImageUrl: 'https://pbs.example/profile_images/1/a_normal.jpg',
  profileBannerUrl: 'https://pbs.example/profile_banners/1',
  descriptionLinks: [{ url: 'https://www.twitch.tv/mockcaster', text: 'x', tcourl: 'x' }],
  _type: 'snscrape.modules.twitter.User',
};
const TWEET = {
  id: '1460323737035677698',
  id_str: '1460323737035677698',
  url: 'https://x.com/mockwriter/status/1460323737035677698',
  date: '2021-11-15 19:08:05+00:00',
  user: USER,
  lang: 'en',
  rawContent: 'Mock &amp; roll &lt;3',
  replyCount: 2,
  retweetCount: 1,
  likeCount: 30,
  quoteCount: 0,
  viewCount: 4000 as number | null,
  retweetedTweet: null as object | null,
  quotedTweet: { id: '5' },
  media: { photos: [], videos: [{ duration: 34875, variants: [] }], animated: [] } as unknown,
  _type: 'snscrape.modules.twitter.Tweet',
};

describe('a line of twscrape', () => {
  it('becomes a post', () => {
    expect(of('content', TWEET)).toEqual([
      {
        kind: 'content',
        platform: 'microblog_platform',
        id: '1460323737035677698',
        observedAt: null,
        author: { id: '1100000001' },
        known: {
          type: 'post',
          description: 'Mock & roll <3',
          created_at: '2021-11-15T19:08:05.000Z',
          duration: 34_875,
          url: 'https://x.com/mockwriter/status/1460323737035677698',
          statistics: { views: { sum: 4000 }, likes: { sum: 30 }, comments: { sum: 2, avg: null } },
        },
      },
    ]);
  });

  it('becomes a profile of its author, without unknown members', () => {
    expect(of('profile', TWEET)[0]).toMatchObject({ id: '1100000001' });
    expect(profile(TWEET)).toEqual({
      name: 'mockwriter',
      display_name: 'Mock Writer',
      url: 'https://x.com/mockwriter',
      description: 'Writes.',
      profile_image: 'https://pbs.example/profile_images/1/a.jpg',
      banner_image: 'https://pbs.example/profile_banners/1',
      statistics: { followers: 900 },
    });
    expect(of('link', TWEET)[0]?.url).toBe('https://www.twitch.tv/mockcaster');
  });

  it('may be a user', () => {
    expect(profile(USER)).toMatchObject({ name: 'mockwriter' });
  });

  it('falls back to the ID in its URL', () => {
    expect(of('content', { ...TWEET, id_str: undefined, id: 5 })[0]?.id).toBe('1460323737035677698');
    expect(of('content', { ...TWEET, id_str: undefined, url: undefined })[0]?.id).toBe('1460323737035677698');
  });

  it('that is a repost is skipped, and one that quotes is not', () => {
    expect(skipped({ ...TWEET, retweetedTweet: { id: '1' } })).toEqual(['repost']);
    expect(of('content', TWEET)).toHaveLength(1);
  });

  it('without views omits them', () => {
    expect(content({ ...TWEET, viewCount: null })?.statistics).not.toHaveProperty('views');
  });

  it('has a duration only with exactly one video', () => {
    const media = { videos: [{ duration: 1 }, { duration: 2 }] };
    expect(content({ ...TWEET, media })).not.toHaveProperty('duration');
    expect(content({ ...TWEET, media: { videos: [] } })).not.toHaveProperty('duration');
    expect(content({ ...TWEET, media: null })).not.toHaveProperty('duration');
  });
});

describe('a line of snscrape', () => {
  const { rawContent: _, id_str: __, ...old } = TWEET;

  it('has unescaped text, under either name', () => {
    expect(content({ ...old, content: 'R&amp;D' })?.description).toBe('R&amp;D');
    expect(content({ ...TWEET, rawContent: 'R&amp;D', renderedContent: 'R&amp;D' })?.description).toBe('R&amp;D');
  });

  it('has durations in seconds', () => {
    const media = [
      { _type: 'snscrape.modules.twitter.Video', duration: 34.875 },
      { _type: 'snscrape.modules.twitter.Photo' },
    ];
    expect(content({ ...old, media })?.duration).toBe(34_875);
  });

  it('has the old name of the description', () => {
    const { rawDescription: ___, ...user } = USER;
    expect(profile({ ...user, description: 'Old' })?.description).toBe('Old');
  });
});

describe('a document of twscrape', () => {
  it('is recognised by its type', () => {
    expect(twscrape.recognises(TWEET, contextOf({}))).toBe(true);
    expect(twscrape.recognises({ _type: 'playlist' }, contextOf({}))).toBe(false);
  });

  it('of another type is skipped, and without a type rejected', () => {
    expect(skipped({ _type: 'snscrape.modules.twitter.Trend' })).toEqual(['twscrape Trend']);
    expect(rejected({ id: 1 })).toEqual(['_type: is missing']);
  });

  it('with an invalid date is rejected with the path', () => {
    expect(rejected({ ...TWEET, date: 'yesterday' })).toEqual([
      'date: must be a date and time with a zone, such as 2026-01-31T09:30:00Z',
    ]);
  });

  it('reports unknown members', () => {
    expect(map({ ...TWEET, mood: 1 }).unknownMembers).toEqual(['Tweet.mood']);
  });
});
