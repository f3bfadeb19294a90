import { describe, expect, it } from '@jest/globals';
import { contextOf, reading } from '../../../test/support/sources/mapping.js';
import { youtubeTrending } from './youtube-trending.js';

const { map, of, content, rejected } = reading(youtubeTrending);
const ROW = {
  video_id: 'mockvid0001',
  title: 'How to mock',
  publishedAt: '2020-08-11T19:20:14Z',
  channelId: 'UCmockmockmockmockmockmo',
  channelTitle: 'Mock Channel',
  categoryId: '22',
  trending_date: '2020-08-12T00:00:00Z',
  tags: 'mock|how to|mock',
  view_count: '1514614',
  likes: '156908',
  dislikes: '5855',
  comment_count: '35313',
  thumbnail_link: 'https://i.example/d.jpg',
  comments_disabled: 'False',
  ratings_disabled: 'False',
  description: '',
};

describe('a row of trending videos', () => {
  it('becomes an item observed on its trending date', () => {
    expect(of('content', ROW)).toEqual([
      {
        kind: 'content',
        platform: 'video_platform',
        id: 'mockvid0001',
        observedAt: new Date('2020-08-12T00:00:00Z'),
        author: { id: 'UCmockmockmockmockmockmo' },
        known: {
          type: 'video',
          title: 'How to mock',
          description: null,
          created_at: '2020-08-11T19:20:14.000Z',
          url: 'https://www.youtube.com/watch?v=mockvid0001',
          categories: [
            {
              id: '22',
              type: 'video_platform_category',
              name: 'People & Blogs',
              gamedb_id: null,
              gamedb_name: null,
              gamedb_slug: null,
            },
          ],
          tags: [
            { id: 'mock', type: 'video_platform_tag', name: 'mock' },
            { id: 'how to', type: 'video_platform_tag', name: 'how to' },
          ],
          statistics: { views: { sum: 1514614 }, likes: { sum: 156908 }, comments: { sum: 35313, avg: null } },
        },
      },
    ]);
  });

  it('becomes a profile of the channel', () => {
    expect(of('profile', ROW)).toEqual([
      {
        kind: 'profile',
        platform: 'video_platform',
        id: 'UCmockmockmockmockmockmo',
        observedAt: new Date('2020-08-12T00:00:00Z'),
        known: { display_name: 'Mock Channel' },
      },
    ]);
  });

  it('has null for disabled counts, whatever their number', () => {
    const statistics = content({ ...ROW, comments_disabled: 'True', ratings_disabled: 'TRUE', likes: '0' })?.statistics;
    expect(statistics).toMatchObject({ likes: { sum: null }, comments: { sum: null } });
  });

  it.each(['[none]', '[None]', ''])('has no tags for "%s"', (tags) => {
    expect(content({ ...ROW, tags })?.tags).toEqual([]);
  });

  it('has tags without their quotes', () => {
    expect(content({ ...ROW, tags: 'mock|"how to"' })?.tags).toMatchObject([{ id: 'mock' }, { id: 'how to' }]);
  });

  it('has neither a duration nor a form', () => {
    expect(content(ROW)).not.toHaveProperty('duration');
  });

  it('is rejected with the name of the invalid column', () => {
    expect(rejected({ ...ROW, view_count: '1.5m' })).toEqual([
      'view_count: must be an integer below 2^53, as a number or as text',
    ]);
    expect(rejected({ ...ROW, comments_disabled: 'maybe' })).toEqual(['comments_disabled: must be true or false']);
  });

  it('is recognised by its columns', () => {
    expect(youtubeTrending.recognises(ROW, contextOf({}))).toBe(true);
    expect(youtubeTrending.recognises({ video_id: 'x' }, contextOf({}))).toBe(false);
  });

  it('reports unknown columns', () => {
    expect(map({ ...ROW, mood: '1' }).unknownMembers).toEqual(['rows.mood']);
  });
});
