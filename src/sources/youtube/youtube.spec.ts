import { describe, expect, it } from '@jest/globals';
import { contextOf, reading } from '../../../test/support/sources/mapping.js';
import { youtube } from './youtube.js';

const { map, of, rejected, skipped } = reading(youtube);

const list = (kind: string, ...items: object[]) => ({
  kind: `youtube#${kind}ListResponse`,
  etag: 'e',
  pageInfo: { totalResults: items.length, resultsPerPage: 50 },
  items,
});

const VIDEO = { kind: 'youtube#video', etag: 'e', id: 'mockvid0001' };
const videoWith = (members: object) => list('video', { ...VIDEO, ...members });

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
  ])('prove the type of an item in a playlist %s', (prefix, type) => {
    expect(of('type-proof', list('playlistItem', entry(`${prefix}mockmockmockmockmockmo`)))).toEqual([
      { kind: 'type-proof', platform: 'video_platform', contentId: 'mockvid0001', type },
    ]);
  });

  it('prove the type by the playlist in the request', () => {
    const { snippet: _, ...bare } = entry('');
    const url = 'https://www.googleapis.com/youtube/v3/playlistItems?playlistId=UUSHmockmockmockmockmockmo';
    expect(of('type-proof', list('playlistItem', bare), { url })).toMatchObject([{ type: 'short' }]);
  });

  it('prove nothing in the playlist of all uploads', () => {
    expect(skipped(list('playlistItem', entry('UUmockmockmockmockmockmo')))).toEqual(['playlist item']);
  });

  it('become names of categories', () => {
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

  it('are skipped if they are search results, whose titles are escaped', () => {
    const result = { kind: 'youtube#searchResult', id: { videoId: 'mockvid0001' }, snippet: { title: 'It&#39;s' } };
    expect(skipped(list('search', result))).toEqual(['search result']);
  });

  it('are skipped if no record needs them', () => {
    expect(skipped(list('commentThread', { kind: 'youtube#commentThread' }))).toEqual(['youtube#commentThread']);
    expect(skipped(list('video'))).toEqual(['empty page']);
  });

  it('are rejected without a kind, or with the message of their error', () => {
    expect(rejected(list('video', { id: 'x' }))).toEqual(['items[0].kind: is missing']);
    expect(rejected({ error: { code: 403, message: 'quota exceeded', errors: [] } })).toEqual([
      ': error response from YouTube: 403 quota exceeded',
    ]);
  });

  it('are recognised by their kind', () => {
    expect(youtube.recognises(videoWith({}), contextOf({}))).toBe(true);
    expect(youtube.recognises(VIDEO, contextOf({}))).toBe(true);
    expect(youtube.recognises({ kind: 'video' }, contextOf({}))).toBe(false);
  });

  it('report unknown members', () => {
    expect(map(videoWith({ holograms: {} })).unknownMembers).toEqual(['video.holograms']);
  });
});
