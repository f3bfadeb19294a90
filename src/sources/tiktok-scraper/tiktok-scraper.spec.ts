import { describe, expect, it } from '@jest/globals';
import { contextOf, reading } from '../../../test/support/sources/mapping.js';
import { tiktokScraper } from './tiktok-scraper.js';

const { map, of, profile, content, rejected } = reading(tiktokScraper);
const ITEM = {
  id: '6907000000000000001',
  text: 'Dance #mock',
  createTime: 1608214517,
  webVideoUrl: 'https://www.tiktok.com/@mockdancer/video/6907000000000000001',
  videoMeta: { height: 1024, width: 576, duration: 15 },
  diggCount: 3710,
  shareCount: 50,
  playCount: 44800,
  commentCount: 68,
  hashtags: [{ id: '1', name: 'mock' }],
  musicMeta: {},
  covers: null,
  authorMeta: {
    id: '6825000000000000001',
    name: 'mockdancer',
    nickName: 'Mock Dancer',
    verified: false,
    signature: 'Dances. instagram.com/mockgrapher',
    avatar: 'https://i.example/a.jpg',
    fans: 999,
  },
};

describe('an item of a TikTok scraper', () => {
  it('becomes a short', () => {
    expect(of('content', ITEM)).toEqual([
      {
        kind: 'content',
        platform: 'short_platform',
        id: '6907000000000000001',
        observedAt: null,
        author: { id: '6825000000000000001' },
        known: {
          type: 'short',
          title: null,
          description: 'Dance #mock',
          created_at: '2020-12-17T14:15:17.000Z',
          duration: 15_000,
          url: 'https://www.tiktok.com/@mockdancer/video/6907000000000000001',
          statistics: { views: { sum: 44800 }, likes: { sum: 3710 }, comments: { sum: 68, avg: null } },
        },
      },
    ]);
  });

  it('becomes a profile of its author', () => {
    expect(of('profile', ITEM)[0]).toMatchObject({
      id: '6825000000000000001',
      known: {
        name: 'mockdancer',
        display_name: 'Mock Dancer',
        url: 'https://www.tiktok.com/@mockdancer',
        description: 'Dances. instagram.com/mockgrapher',
        profile_image: 'https://i.example/a.jpg',
        statistics: { followers: 999 },
      },
    });
    expect(of('link', ITEM)[0]?.url).toBe('instagram.com/mockgrapher');
  });

  it('may lack followers', () => {
    const { fans: _, ...authorMeta } = ITEM.authorMeta;
    expect(profile({ ...ITEM, authorMeta })?.statistics).toEqual({});
  });

  it('may have its date as text, and the time it was scraped', () => {
    const document = {
      ...ITEM,
      createTime: undefined,
      createTimeISO: '2020-12-17T14:15:17.000Z',
      scrapedAt: '2026-11-22T10:00:00.000Z',
    };
    expect(content(document)?.created_at).toBe('2020-12-17T14:15:17.000Z');
    expect(of('content', document)[0]?.observedAt).toEqual(new Date('2026-11-22T10:00:00Z'));
    expect(of('profile', document)[0]?.observedAt).toEqual(new Date('2026-11-22T10:00:00Z'));
  });

  it('with pictures is a post', () => {
    expect(content({ ...ITEM, isSlideshow: true })?.type).toBe('post');
    expect(content({ ...ITEM, videoMeta: { duration: 0 } })?.type).toBe('post');
  });

  it('with an empty text has a null description', () => {
    expect(content({ ...ITEM, text: '' })?.description).toBeNull();
  });

  it('without the numeric ID of its author has the handle, and no profile', () => {
    const document = { ...ITEM, authorMeta: { name: 'mockdancer' } };
    expect(of('content', document)[0]?.author).toEqual({ handle: 'mockdancer' });
    expect(of('profile', document)).toEqual([]);
  });

  it('may be in a collection', () => {
    expect(of('content', { collector: [ITEM, ITEM] })).toHaveLength(2);
    expect(rejected({ collector: [{ ...ITEM, playCount: 'many' }] })).toEqual([
      'collector[0].playCount: must be an integer below 2^53, as a number or as text',
    ]);
  });

  it('may link to another page in an object or a text', () => {
    const linking = (bioLink: unknown) =>
      of('link', { ...ITEM, authorMeta: { ...ITEM.authorMeta, signature: '', bioLink } });
    expect(linking('https://x.com/mock')[0]?.url).toBe('https://x.com/mock');
    expect(linking({ link: 'https://x.com/mock' })[0]?.url).toBe('https://x.com/mock');
  });

  it('is recognised by the member `authorMeta`', () => {
    expect(tiktokScraper.recognises(ITEM, contextOf({}))).toBe(true);
    expect(tiktokScraper.recognises({ collector: [ITEM] }, contextOf({}))).toBe(true);
    expect(tiktokScraper.recognises({ id: '1', text: 'x' }, contextOf({}))).toBe(false);
  });

  it('reports unknown members', () => {
    expect(map({ ...ITEM, mood: 1 }).unknownMembers).toEqual(['items.mood']);
  });

  it('that reports a failure is rejected', () => {
    expect(rejected({ error: 'not found', authorMeta: {} })).toEqual([': the scraper failed: not found']);
  });
});
