import { ApiServer, type ApiAnswer, type ApiCall } from './api-server.js';

export interface BlueskyActor {
  readonly did: string;
  readonly handle: string;
  followers: number;
  exists: boolean;
  posts: number;
}

const error = (status: number, name: string, message: string, headers = {}): ApiAnswer => ({
  status,
  body: { error: name, message },
  headers,
});

/** Public API of Bluesky: `url` + `/xrpc`. */
export class BlueskyServer extends ApiServer {
  readonly actors = new Map<string, BlueskyActor>();
  /** Number of following calls that get a 429. */
  limited = 0;

  get environment(): Readonly<Record<string, string>> {
    return { BLUESKY_API_URL: `${this.url}/xrpc` };
  }

  /** Adds actors. @returns their DIDs */
  add(count: number, actor: Partial<BlueskyActor> = {}): string[] {
    return Array.from({ length: count }, () => {
      const number = String(this.actors.size);
      const did = `did:plc:${number.padStart(24, 'a')}`;
      const handle = actor.handle ?? `actor${number}.example.com`;
      this.actors.set(did, { followers: 10, exists: true, posts: 2, ...actor, did, handle });
      return did;
    });
  }

  protected override answer({ path, query }: ApiCall): ApiAnswer {
    if (this.limited > 0) {
      this.limited -= 1;
      return error(429, 'RateLimitExceeded', 'Rate Limit Exceeded', { 'Retry-After': '30' });
    }
    const find = (name: string | null) =>
      [...this.actors.values()].find(({ did, handle, exists }) => exists && (did === name || handle === name));
    switch (path) {
      case '/xrpc/app.bsky.actor.getProfiles': {
        const names = query.getAll('actors');
        if (names.length > 25) return error(400, 'InvalidRequest', 'Error: actors must not have more than 25 elements');
        const profiles = names.flatMap((name) => find(name) ?? []).map((actor) => this.#profile(actor));
        return { status: 200, body: { profiles } };
      }
      case '/xrpc/app.bsky.feed.getAuthorFeed': {
        const actor = find(query.get('actor'));
        if (actor === undefined) return error(400, 'InvalidRequest', 'Profile not found');
        const length = Math.min(actor.posts, Number(query.get('limit') ?? 50));
        const feed = Array.from({ length }, (_, index) => ({ post: this.#post(actor, index) }));
        return { status: 200, body: { feed } };
      }
      default:
        return error(404, 'MethodNotImplemented', 'Method Not Implemented');
    }
  }

  #profile({ did, handle, followers, posts }: BlueskyActor): object {
    return {
      did,
      handle,
      displayName: handle,
      description: 'about',
      followersCount: followers,
      followsCount: 1,
      postsCount: posts,
      createdAt: '2024-01-01T00:00:00.000Z',
      indexedAt: '2024-01-01T00:00:00.000Z',
    };
  }

  #post({ did, handle }: BlueskyActor, index: number): object {
    const createdAt = new Date(this.now() - (index + 1) * 3_600_000).toISOString();
    return {
      uri: `at://${did}/app.bsky.feed.post/${index}`,
      cid: 'bafyreidfayvfuwqa7qlnopdjiqrxzs6blmoeu4rujcjtnci5beludirz2a',
      author: { did, handle, displayName: handle },
      record: { $type: 'app.bsky.feed.post', text: `Post ${index}`, createdAt },
      likeCount: 3,
      replyCount: 1,
      repostCount: 0,
      quoteCount: 0,
      indexedAt: createdAt,
    };
  }
}
