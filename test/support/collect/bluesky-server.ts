import { ApiServer, pageOf, type ApiAnswer, type ApiCall } from './api-server.js';

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
  /** Number of following calls that get a 429, which tells them to wait for 30 seconds. */
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
      return error(429, 'RateLimitExceeded', 'Rate Limit Exceeded', {
        'RateLimit-Limit': '3000',
        'RateLimit-Remaining': '0',
        'RateLimit-Reset': String(Math.floor(this.now() / 1000) + 30),
        'RateLimit-Policy': '3000;w=300',
      });
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
        const limit = Number(query.get('limit') ?? 50);
        if (limit > 100) return error(400, 'InvalidRequest', 'Error: limit can not be greater than 100');
        const posts = Array.from({ length: actor.posts }, (_, index) => ({ post: this.#post(actor, index) }));
        const page = pageOf(posts, query.get('cursor'), limit);
        if (page === null) return error(400, 'InvalidRequest', 'Malformed cursor');
        return { status: 200, body: { feed: page.items, cursor: page.next ?? undefined } };
      }
      default:
        return error(501, 'MethodNotImplemented', 'Method Not Implemented');
    }
  }

  #profile({ did, handle, followers, posts }: BlueskyActor): object {
    return {
      did,
      handle,
      displayName: handle,
      description: 'about',
      avatar: `https://images.example.com/avatar/${handle}.jpg`,
      banner: `https://images.example.com/banner/${handle}.jpg`,
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
      author: { did, handle, displayName: handle, avatar: `https://images.example.com/avatar/${handle}.jpg` },
      record: { $type: 'app.bsky.feed.post', text: `Post ${index}`, createdAt },
      likeCount: 3,
      replyCount: 1,
      repostCount: 0,
      quoteCount: 0,
      indexedAt: createdAt,
    };
  }
}
