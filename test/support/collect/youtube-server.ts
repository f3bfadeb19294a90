import { ApiServer, pageOf, type ApiAnswer, type ApiCall } from './api-server.js';

export interface YoutubeChannel {
  readonly id: string;
  readonly handle: string;
  subscribers: number;
  hidesSubscribers: boolean;
  exists: boolean;
  videos: number;
}

/** Error in the shape of Google's APIs. @param more members of the error itself */
const error = (code: number, domain: string, reason: string, message: string, more: object = {}): ApiAnswer => ({
  status: code,
  body: { error: { code, message, errors: [{ message, domain, reason }], ...more } },
});

/** Values of a parameter: separated by commas, or in parameters of the same name. */
const valuesOf = (query: URLSearchParams, name: string): string[] =>
  query.getAll(name).flatMap((values) => values.split(','));

type Resource = Readonly<Record<string, unknown>>;

/** Answers a call with those of the resources that are on its page, each with the parts that it asks for. */
function list(kind: string, resources: readonly Resource[], size: number, query: URLSearchParams): ApiAnswer {
  const page = pageOf(resources, query.get('pageToken'), size);
  if (page === null) return error(400, 'youtube.parameter', 'invalidPageToken', 'The page token is invalid.');
  const parts = new Set(['kind', 'etag', 'id', ...valuesOf(query, 'part')]);
  const items = page.items.map((each) => Object.fromEntries(Object.entries(each).filter(([name]) => parts.has(name))));
  const body = {
    kind: `youtube#${kind}ListResponse`,
    etag: 'x',
    nextPageToken: page.next ?? undefined,
    pageInfo: { totalResults: resources.length, resultsPerPage: size },
    // A list of nothing has no items.
    items: items.length === 0 ? undefined : items,
  };
  return { status: 200, body };
}

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
    if (key !== this.key) return invalidKey();
    // Wrong calls cost units, too.
    this.quota -= 1;
    if (this.quota < 0) return error(403, 'youtube.quota', 'quotaExceeded', QUOTA_EXCEEDED);
    if (!query.has('part')) return error(400, 'global', 'required', "'part'");
    const most = Number(query.get('maxResults') ?? 5);
    const ids = valuesOf(query, 'id');
    if (ids.length > 50 || most > 50) return error(400, 'global', 'invalidParameter', 'too many values');
    switch (path) {
      case '/youtube/v3/channels': {
        const handle = query.get('forHandle');
        const isAsked = (each: YoutubeChannel) =>
          handle === null ? ids.includes(each.id) : isSameHandle(each.handle, handle);
        const found = [...this.channels.values()].filter((each) => each.exists && isAsked(each));
        const channels = found.map((each) => this.#channel(each));
        return list('channel', channels, most, query);
      }
      case '/youtube/v3/playlistItems': {
        const channel = this.channels.get(`UC${(query.get('playlistId') ?? '').slice(2)}`);
        if (!channel?.exists || channel.videos === 0)
          return error(404, 'youtube.playlistItem', 'playlistNotFound', PLAYLIST_NOT_FOUND);
        const items = Array.from({ length: channel.videos }, (_, index) => ({
          kind: 'youtube#playlistItem',
          etag: 'x',
          id: `item-${channel.id}-${index}`,
          contentDetails: { videoId: videoId(channel.id, index), videoPublishedAt: this.#publishedAt(index) },
        }));
        return list('playlistItem', items, most, query);
      }
      case '/youtube/v3/videos': {
        const videos = ids.map((id) => this.#video(id)).filter((video) => video !== null);
        // `maxResults` has no effect on a list of IDs.
        return list('video', videos, videos.length, query);
      }
      default:
        return error(404, 'global', 'notFound', 'no such method');
    }
  }

  #publishedAt = (index: number): string => new Date(this.now() - (index + 1) * 86_400_000).toISOString();

  #channel({ id, handle, subscribers, hidesSubscribers, videos }: YoutubeChannel): Resource {
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
        videoCount: String(videos),
      },
      brandingSettings: {
        channel: { title: `Channel ${handle}` },
        image: { bannerExternalUrl: `https://images.example.com/${id}-banner` },
      },
    };
  }

  /** Returns a video; null if there is none with this ID. */
  #video(id: string): Resource | null {
    const [, digits = '', index = ''] = /^(.+)-(\d+)$/.exec(id) ?? [];
    const channel = this.channels.get(`UC${digits}`);
    if (!channel?.exists || Number(index) >= channel.videos) return null;
    return {
      kind: 'youtube#video',
      etag: 'x',
      id,
      snippet: {
        publishedAt: this.#publishedAt(Number(index)),
        channelId: channel.id,
        title: `Video ${index}`,
        description: '',
        tags: ['music'],
        categoryId: '20',
        liveBroadcastContent: 'none',
      },
      contentDetails: { duration: 'PT10M', definition: 'hd', caption: 'false' },
      statistics: { viewCount: '10', likeCount: '2', commentCount: '1' },
    };
  }
}

const videoId = (channel: string, index: number): string => `${channel.slice(2)}-${index}`;

/** Handles are asked for with or without their @, in any case. */
const isSameHandle = (one: string, other: string): boolean =>
  one.replace(/^@/, '').toLowerCase() === other.replace(/^@/, '').toLowerCase();

const QUOTA_EXCEEDED =
  'The request cannot be completed because you have exceeded your <a href="/youtube/v3/getting-started#quota">quota</a>.';

const PLAYLIST_NOT_FOUND =
  "The playlist identified with the request's <code>playlistId</code> parameter cannot be found.";

function invalidKey(): ApiAnswer {
  const detail = {
    '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
    reason: 'API_KEY_INVALID',
    domain: 'googleapis.com',
    metadata: { service: 'youtube.googleapis.com' },
  };
  return error(400, 'global', 'badRequest', 'API key not valid. Please pass a valid API key.', {
    status: 'INVALID_ARGUMENT',
    details: [detail],
  });
}
