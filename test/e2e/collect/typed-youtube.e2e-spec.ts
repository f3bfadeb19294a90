import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { youtube as createClient, type youtube_v3 } from '@googleapis/youtube';
import { YoutubeServer } from '../../support/collect/youtube-server.js';

const CHANNEL_PARTS = ['snippet', 'statistics', 'brandingSettings', 'contentDetails'];
const VIDEO_PARTS = ['snippet', 'contentDetails', 'statistics', 'liveStreamingDetails'];
const NOW = Date.parse('2026-03-02T12:00:00Z');

describe("Google's client of YouTube on the YouTube of the tests", () => {
  let server: YoutubeServer;
  let client: youtube_v3.Youtube;

  const connect = (key = server.key) =>
    createClient({ version: 'v3', auth: key, rootUrl: `${server.url}/`, retry: false });

  beforeEach(async () => {
    server = new YoutubeServer();
    server.now = () => NOW;
    await server.start();
    client = connect();
  });
  afterEach(() => server.stop());

  const uploadsOf = (id: string, more: { maxResults?: number; pageToken?: string } = {}) =>
    client.playlistItems.list({ part: ['contentDetails'], playlistId: `UU${id.slice(2)}`, ...more });
  const videoIdsOf = async (id: string) =>
    ((await uploadsOf(id)).data.items ?? []).map(({ contentDetails }) => contentDetails?.videoId ?? '');
  /** Returns what the client makes of an error. */
  const failure = (call: Promise<unknown>) =>
    call.then(
      () => null,
      ({ status, message, response }: { status: number; message: string; response?: { data: unknown } }) => ({
        status,
        message,
        data: response?.data,
      }),
    );

  it('reads every member of a channel that is collected', async () => {
    const [id = ''] = server.add(1, { handle: '@anna', subscribers: 4321, videos: 7 });
    const { data } = await client.channels.list({ part: CHANNEL_PARTS, id: [id] });
    expect(data).toMatchObject({
      kind: 'youtube#channelListResponse',
      pageInfo: { totalResults: 1 },
      items: [
        {
          kind: 'youtube#channel',
          id,
          snippet: {
            title: 'Channel @anna',
            description: 'about',
            customUrl: '@anna',
            thumbnails: { default: { url: `https://images.example.com/${id}.jpg` } },
          },
          statistics: { viewCount: '5000', subscriberCount: '4321', hiddenSubscriberCount: false, videoCount: '7' },
          brandingSettings: { image: { bannerExternalUrl: `https://images.example.com/${id}-banner` } },
          contentDetails: { relatedPlaylists: { uploads: `UU${id.slice(2)}` } },
        },
      ],
    });
  });

  it('has no number of subscribers of a channel that hides it', async () => {
    const [id = ''] = server.add(1, { hidesSubscribers: true });
    const { data } = await client.channels.list({ part: CHANNEL_PARTS, id: [id] });
    expect(data.items?.[0]?.statistics).toEqual({ viewCount: '5000', hiddenSubscriberCount: true, videoCount: '3' });
  });

  it('finds 50 channels by ID in a call, with repeated parameters', async () => {
    const ids = server.add(50);
    const { data } = await client.channels.list({ part: CHANNEL_PARTS, id: ids, maxResults: 50 });
    expect(data.items?.map(({ id }) => id)).toEqual(ids);
    expect(server.calls[0]?.query.getAll('id')).toEqual(ids);
  });

  it.each(['@Anna', 'anna'])('finds a channel by the handle %s', async (forHandle) => {
    server.add(1);
    const [id] = server.add(1, { handle: '@anna' });
    const { data } = await client.channels.list({ part: ['id'], forHandle });
    expect(data.items).toEqual([{ kind: 'youtube#channel', etag: 'x', id }]);
  });

  it('has no items if there is no such channel', async () => {
    const { data } = await client.channels.list({ part: CHANNEL_PARTS, id: ['UC-none'] });
    expect(data).toMatchObject({ kind: 'youtube#channelListResponse', pageInfo: { totalResults: 0 } });
    expect(data).not.toHaveProperty('items');
  });

  it('reads only the parts that were asked for', async () => {
    const { data } = await client.channels.list({ part: ['statistics'], id: server.add(1) });
    expect(Object.keys(data.items?.[0] ?? {}).toSorted()).toEqual(['etag', 'id', 'kind', 'statistics']);
  });

  it('reads every member of an upload that is collected', async () => {
    const [id = ''] = server.add(1, { videos: 2 });
    const { data } = await uploadsOf(id);
    const publishedAt = (days: number) => new Date(NOW - days * 86_400_000).toISOString();
    expect(data).toMatchObject({
      kind: 'youtube#playlistItemListResponse',
      items: [1, 2].map((days) => ({
        kind: 'youtube#playlistItem',
        contentDetails: { videoId: `${id.slice(2)}-${days - 1}`, videoPublishedAt: publishedAt(days) },
      })),
    });
  });

  it('pages through the uploads of a channel', async () => {
    const [id = ''] = server.add(1, { videos: 120 });
    const found: string[] = [];
    for (let pageToken: string | undefined, pages = 0; pages < 4; pages += 1) {
      const { data } = await uploadsOf(id, { maxResults: 50, ...(pageToken !== undefined && { pageToken }) });
      expect(data.pageInfo).toEqual({ totalResults: 120, resultsPerPage: 50 });
      found.push(...(data.items ?? []).map(({ contentDetails }) => contentDetails?.videoId ?? ''));
      if (!data.nextPageToken) break;
      pageToken = data.nextPageToken;
    }
    expect(found).toEqual(Array.from({ length: 120 }, (_, index) => `${id.slice(2)}-${index}`));
  });

  it('reads every member of a video that is collected', async () => {
    const [id = ''] = server.add(1);
    const [video = ''] = await videoIdsOf(id);
    const { data } = await client.videos.list({ part: VIDEO_PARTS, id: [video] });
    expect(data.items).toMatchObject([
      {
        kind: 'youtube#video',
        id: video,
        snippet: {
          publishedAt: new Date(NOW - 86_400_000).toISOString(),
          channelId: id,
          title: 'Video 0',
          description: '',
          tags: ['music'],
          categoryId: '20',
          liveBroadcastContent: 'none',
        },
        contentDetails: { duration: 'PT10M' },
        statistics: { viewCount: '10', likeCount: '2', commentCount: '1' },
      },
    ]);
    expect(data.items?.[0]).not.toHaveProperty('liveStreamingDetails');
  });

  it('reads all videos of a list of IDs without a number of results', async () => {
    const [id = ''] = server.add(1, { videos: 30 });
    const ids = Array.from({ length: 30 }, (_, index) => `${id.slice(2)}-${index}`);
    const { data } = await client.videos.list({ part: ['id'], id: [...ids, 'unknown'] });
    expect(data.items?.map((item) => item.id)).toEqual(ids);
  });

  it('reports a wrong key with its reason', async () => {
    expect(await failure(connect('wrong').channels.list({ part: ['id'], id: ['UC'] }))).toMatchObject({
      status: 400,
      message: 'API key not valid. Please pass a valid API key.',
      data: {
        error: {
          status: 'INVALID_ARGUMENT',
          errors: [{ domain: 'global', reason: 'badRequest' }],
          details: [{ reason: 'API_KEY_INVALID', domain: 'googleapis.com' }],
        },
      },
    });
  });

  it('reports that the quota is used up with its reason', async () => {
    server.quota = 0;
    expect(await failure(client.channels.list({ part: ['id'], id: ['UC'] }))).toMatchObject({
      status: 403,
      message: expect.stringContaining('you have exceeded your'),
      data: { error: { code: 403, errors: [{ domain: 'youtube.quota', reason: 'quotaExceeded' }] } },
    });
  });

  it('reports the uploads of a channel without videos as not found', async () => {
    const [id = ''] = server.add(1, { videos: 0 });
    expect(await failure(uploadsOf(id))).toMatchObject({
      status: 404,
      message: expect.stringContaining('cannot be found'),
      data: { error: { code: 404, errors: [{ domain: 'youtube.playlistItem', reason: 'playlistNotFound' }] } },
    });
  });

  it.each([
    [
      'more IDs than a call may have',
      { id: Array.from({ length: 51 }, (_, index) => `UC${index}`) },
      'invalidParameter',
    ],
    ['more results than a page may have', { id: ['UC'], maxResults: 51 }, 'invalidParameter'],
    ['an unknown page', { id: ['UC'], pageToken: 'unknown' }, 'invalidPageToken'],
  ])('reports %s as a bad request', async (_name, query, reason) => {
    expect(await failure(client.channels.list({ part: ['id'], ...query }))).toMatchObject({
      status: 400,
      data: { error: { code: 400, errors: [{ reason }] } },
    });
  });

  it('reports an outage with its status', async () => {
    server.fault = () => 'down';
    expect(await failure(client.channels.list({ part: ['id'], id: ['UC'] }))).toMatchObject({
      status: 503,
      data: 'upstream error',
    });
  });
});
