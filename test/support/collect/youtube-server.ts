import { ApiServer, type ApiAnswer, type ApiCall } from './api-server.js';

export interface YoutubeChannel {
  readonly id: string;
  readonly handle: string;
  subscribers: number;
  hidesSubscribers: boolean;
  exists: boolean;
  videos: number;
}

/** Error in the shape of Google's APIs. */
const error = (code: number, reason: string, message: string, details: readonly object[] = []): ApiAnswer => ({
  status: code,
  body: { error: { code, message, errors: [{ message, domain: 'youtube.quota', reason }], details } },
});

const page = (kind: string, items: readonly object[]): object => ({
  kind,
  etag: 'x',
  pageInfo: { totalResults: items.length, resultsPerPage: items.length },
  // A list of nothing has no items.
  ...(items.length === 0 ? {} : { items }),
});

/** YouTube Data API: `url` + `/youtube/v3`. */
export class YoutubeServer extends ApiServer {
  readonly channels = new Map<string, YoutubeChannel>();
  readonly key = 'KEY-of-the-project';
  /** Units that are left of the day's quota. */
  quota = 10_000;

  get environment(): Readonly<Record<string, string>> {
    return { YOUTUBE_API_URL: `${this.url}/youtube/v3`, YOUTUBE_API_KEY: this.key };
  }

  /** Adds channels. @returns their IDs */
  add(count: number, channel: Partial<YoutubeChannel> = {}): string[] {
    return Array.from({ length: count }, () => {
      const id = `UC${String(this.channels.size).padStart(22, '0')}`;
      const handle = channel.handle ?? `@channel${this.channels.size}`;
      const defaults = { subscribers: 1000, hidesSubscribers: false, exists: true, videos: 3 };
      this.channels.set(id, { ...defaults, ...channel, id, handle });
      return id;
    });
  }

  protected override answer({ path, query, headers }: ApiCall): ApiAnswer {
    const key = headers['x-goog-api-key'] ?? query.get('key');
    if (key !== this.key) {
      const details = [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'API_KEY_INVALID' }];
      return error(400, 'badRequest', 'API key not valid. Please pass a valid API key.', details);
    }
    // Wrong calls cost units, too.
    this.quota -= 1;
    if (this.quota < 0) return error(403, 'quotaExceeded', 'The request cannot be completed: quota exceeded.');
    const most = Number(query.get('maxResults') ?? 5);
    const ids = (query.get('id') ?? '').split(',');
    if (ids.length > 50 || most > 50) return error(400, 'invalidParameter', 'too many values');
    switch (path) {
      case '/youtube/v3/channels': {
        const handle = query.get('forHandle');
        const found = [...this.channels.values()].filter(
          (each) => each.exists && (handle === null ? ids.includes(each.id) : each.handle === handle),
        );
        const channels = found.slice(0, most).map((each) => this.#channel(each));
        return { status: 200, body: page('youtube#channelListResponse', channels) };
      }
      case '/youtube/v3/playlistItems': {
        const channel = this.channels.get(`UC${(query.get('playlistId') ?? '').slice(2)}`);
        if (!channel?.exists || channel.videos === 0)
          return error(404, 'playlistNotFound', 'The playlist cannot be found.');
        const items = Array.from({ length: Math.min(most, channel.videos) }, (_, index) => ({
          kind: 'youtube#playlistItem',
          etag: 'x',
          id: `item-${channel.id}-${index}`,
          contentDetails: { videoId: videoId(channel.id, index), videoPublishedAt: this.#publishedAt(index) },
        }));
        return { status: 200, body: page('youtube#playlistItemListResponse', items) };
      }
      case '/youtube/v3/videos':
        return {
          status: 200,
          body: page(
            'youtube#videoListResponse',
            ids.slice(0, most).map((id) => this.#video(id)),
          ),
        };
      default:
        return error(404, 'notFound', 'no such method');
    }
  }

  #publishedAt = (index: number): string => new Date(this.now() - (index + 1) * 86_400_000).toISOString();

  #channel({ id, handle, subscribers, hidesSubscribers }: YoutubeChannel): object {
    return {
      kind: 'youtube#channel',
      etag: 'x',
      id,
      snippet: {
        title: `Channel ${handle}`,
        description: 'about',
        customUrl: handle,
        publishedAt: '2015-01-01T00:00:00Z',
        thumbnails: { default: { url: `https://images.example.com/${id}.jpg` } },
      },
      contentDetails: { relatedPlaylists: { likes: '', uploads: `UU${id.slice(2)}` } },
      statistics: {
        viewCount: '5000',
        ...(hidesSubscribers ? {} : { subscriberCount: String(subscribers) }),
        hiddenSubscriberCount: hidesSubscribers,
        videoCount: '3',
      },
      brandingSettings: { channel: { title: handle }, image: {} },
    };
  }

  #video(id: string): object {
    const [, channel = '', index = '0'] = /^(.+)-(\d+)$/.exec(id) ?? [];
    return {
      kind: 'youtube#video',
      etag: 'x',
      id,
      snippet: {
        publishedAt: this.#publishedAt(Number(index)),
        channelId: `UC${channel}`,
        title: `Video ${index}`,
        description: '',
        categoryId: '20',
        liveBroadcastContent: 'none',
      },
      contentDetails: { duration: 'PT10M', definition: 'hd', caption: 'false' },
      statistics: { viewCount: '10', likeCount: '2', commentCount: '1' },
    };
  }
}

const videoId = (channel: string, index: number): string => `${channel.slice(2)}-${index}`;
