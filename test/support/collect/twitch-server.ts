import { ApiServer, pageOf, RateBucket, type ApiAnswer, type ApiCall } from './api-server.js';
import { ApplicationTokens } from './application-tokens.js';

export interface TwitchUser {
  readonly id: string;
  readonly login: string;
  followers: number;
  /** Whether the account exists. */
  exists: boolean;
  videos: number;
  isLive: boolean;
}

const error = (status: number, name: string, message: string, headers = {}): ApiAnswer => ({
  status,
  body: { error: name, status, message },
  headers,
});

const data = (items: readonly object[], more: object = {}): ApiAnswer => ({
  status: 200,
  body: { data: items, ...more },
});

/** Answers a call whose list has pages. */
function pageOfData(items: readonly object[], query: URLSearchParams): ApiAnswer {
  const first = Number(query.get('first') ?? 20);
  if (!(first >= 1 && first <= 100)) return error(400, 'Bad Request', 'The parameter "first" was malformed');
  const page = pageOf(items, query.get('after'), first);
  if (page === null) return error(400, 'Bad Request', 'The parameter "after" was malformed');
  return data(page.items, { pagination: page.next === null ? {} : { cursor: page.next } });
}

/** Helix and the token endpoint: `url` + `/helix` and `/oauth2`. */
export class TwitchServer extends ApiServer {
  readonly users = new Map<string, TwitchUser>();
  readonly tokens = new ApplicationTokens();
  #bucket = new RateBucket(800, 60_000);

  get environment(): Readonly<Record<string, string>> {
    return {
      TWITCH_API_URL: `${this.url}/helix`,
      TWITCH_AUTH_URL: `${this.url}/oauth2`,
      TWITCH_CLIENT_ID: this.tokens.clientId,
      TWITCH_CLIENT_SECRET: this.tokens.clientSecret,
    };
  }

  /** Adds users. @returns their IDs */
  add(count: number, user: Partial<TwitchUser> = {}): string[] {
    return Array.from({ length: count }, () => {
      const id = String(1000 + this.users.size);
      const login = user.login ?? `streamer_${id}`;
      this.users.set(id, { followers: 100, exists: true, videos: 2, isLive: false, ...user, id, login });
      return id;
    });
  }

  /** Lets the next calls get a 429. */
  exhaustBucket(): void {
    this.#bucket = new RateBucket(1, 60_000);
    this.#bucket.take(this.now());
  }

  restoreBucket(): void {
    this.#bucket = new RateBucket(800, 60_000);
  }

  protected override answer(call: ApiCall): ApiAnswer {
    if (this.isTokenRequest(call)) return this.tokens.issue(call, this.now());
    if (!this.tokens.accepts(call, this.now())) return error(401, 'Unauthorized', 'Invalid OAuth token');
    const left = this.#bucket.take(this.now());
    const headers = {
      'Ratelimit-Limit': '800',
      'Ratelimit-Remaining': String(Math.max(0, left)),
      'Ratelimit-Reset': String(Math.ceil(this.now() / 1000) + 60),
    };
    if (left < 0) return error(429, 'Too Many Requests', 'rate limit', headers);
    return { ...this.#answerCall(call), headers };
  }

  #answerCall({ path, query }: ApiCall): ApiAnswer {
    const names = { users: 'id', channels: 'broadcaster_id', streams: 'user_id' } as const;
    const call = path.replace('/helix/', '');
    const ids = query.getAll(names[call as keyof typeof names] ?? '');
    const logins = query.getAll('login');
    if (ids.length + logins.length > 100) return error(400, 'Bad Request', 'too many parameters');
    if (ids.some((id) => !/^\d+$/.test(id))) return error(400, 'Bad Request', 'Invalid id');
    const users = [...this.users.values()].filter(
      ({ id, login, exists }) => exists && (ids.includes(id) || logins.includes(login)),
    );
    switch (call) {
      case 'users':
        return data(users.map((user) => this.#user(user)));
      case 'channels':
        return data(
          users.map(({ id, login }) => ({
            broadcaster_id: id,
            broadcaster_login: login,
            broadcaster_name: login.toUpperCase(),
            broadcaster_language: 'en',
            game_id: '',
            game_name: '',
            title: 'hello',
            delay: 0,
            tags: [],
            content_classification_labels: [],
            is_branded_content: false,
          })),
        );
      case 'streams':
        return pageOfData(
          users.filter(({ isLive }) => isLive).map((user) => this.#stream(user)),
          query,
        );
      case 'channels/followers': {
        const user = this.users.get(query.get('broadcaster_id') ?? '');
        return user?.exists
          ? data([], { total: user.followers, pagination: {} })
          : error(400, 'Bad Request', 'invalid');
      }
      case 'videos': {
        const user = this.users.get(query.get('user_id') ?? '');
        const length = user?.exists ? user.videos : 0;
        const videos = Array.from({ length }, (_, index) => (user === undefined ? {} : this.#video(user, index)));
        return pageOfData(videos, query);
      }
      default:
        return error(404, 'Not Found', '');
    }
  }

  #user({ id, login }: TwitchUser): object {
    return {
      id,
      login,
      display_name: login.toUpperCase(),
      type: '',
      broadcaster_type: 'partner',
      description: `about ${login}`,
      profile_image_url: `https://images.example.com/${id}.png`,
      offline_image_url: '',
      view_count: 0,
      created_at: '2016-12-14T20:32:28.894263Z',
    };
  }

  #stream({ id, login }: TwitchUser): object {
    return {
      id: `9${id}`,
      user_id: id,
      user_login: login,
      user_name: login.toUpperCase(),
      game_id: '509658',
      game_name: 'Just Chatting',
      type: 'live',
      title: 'live now',
      tags: ['English'],
      viewer_count: 42,
      started_at: new Date(this.now() - 3_600_000).toISOString(),
      language: 'en',
      thumbnail_url: 'https://images.example.com/{width}x{height}.jpg',
      tag_ids: [],
      is_mature: false,
    };
  }

  #video({ id, login }: TwitchUser, index: number): object {
    const video = `8${id}${String(index).padStart(3, '0')}`;
    const at = new Date(this.now() - (index + 1) * 86_400_000).toISOString();
    return {
      id: video,
      stream_id: null,
      user_id: id,
      user_login: login,
      user_name: login.toUpperCase(),
      title: `Video ${index}`,
      description: '',
      created_at: at,
      published_at: at,
      url: `https://www.twitch.tv/videos/${video}`,
      thumbnail_url: '',
      viewable: 'public',
      view_count: 5,
      language: 'en',
      type: 'upload',
      duration: '3h8m33s',
      muted_segments: null,
    };
  }
}
