import { ApiServer, RateBucket, type ApiAnswer, type ApiCall } from './api-server.js';
import { ApplicationTokens } from './application-tokens.js';

export interface IgdbGame {
  readonly id: number;
  readonly name: string;
  /** Category on Twitch; null: it has none. */
  readonly twitchId: string | null;
}

/** IGDB and the token endpoint: `url` + `/v4` and `/oauth2`. It reads the few forms of APICalypse that the collector sends. */
export class IgdbServer extends ApiServer {
  readonly games: IgdbGame[] = [];
  readonly tokens = new ApplicationTokens();
  readonly #bucket = new RateBucket(4, 1000);

  get environment(): Readonly<Record<string, string>> {
    return {
      IGDB_API_URL: `${this.url}/v4`,
      TWITCH_AUTH_URL: `${this.url}/oauth2`,
      TWITCH_CLIENT_ID: this.tokens.clientId,
      TWITCH_CLIENT_SECRET: this.tokens.clientSecret,
    };
  }

  /** Adds games with the IDs from 1. */
  add(count: number): void {
    for (let index = 0; index < count; index += 1) {
      const id = this.games.length + 1;
      this.games.push({ id, name: `Game ${id}`, twitchId: String(50_000 + id) });
    }
  }

  protected override answer(call: ApiCall): ApiAnswer {
    if (this.isTokenRequest(call)) return this.tokens.issue(call, this.now());
    if (!this.tokens.accepts(call, this.now()))
      return { status: 401, body: { message: 'Authorization Failure. Have you tried: "..."' } };
    if (this.#bucket.take(this.now()) < 0) return { status: 429, body: { message: 'Too Many Requests' } };
    if (call.method !== 'POST' || call.path !== '/v4/games')
      return { status: 404, body: [{ title: 'Not Found', status: 404, cause: call.path }] };
    const { body } = call;
    const limit = Number(/limit (\d+);/.exec(body)?.[1] ?? 10);
    const condition = /where ([^;]+);/.exec(body)?.[1] ?? '';
    if (limit > 500) return { status: 400, body: [{ title: 'Invalid limit', status: 400, cause: String(limit) }] };
    const ids = /^id = \(([\d,]+)\)$/.exec(condition)?.[1]?.split(',').map(Number);
    const after = /^id > (\d+)$/.exec(condition)?.[1];
    const [, first, uids] = CATEGORIES.exec(condition) ?? [];
    if (ids === undefined && after === undefined && uids === undefined)
      return { status: 400, body: [{ title: 'Syntax Error', status: 400, cause: condition }] };
    const found = this.games.filter(
      ({ id, twitchId }) =>
        ids?.includes(id) === true ||
        (after !== undefined && id > Number(after)) ||
        (id > Number(first) && twitchId !== null && uids?.includes(`"${twitchId}"`) === true),
    );
    return { status: 200, body: found.slice(0, limit).map(toRecord) };
  }
}

const CATEGORIES = /^id > (\d+) & external_games\.external_game_source = 14 & external_games\.uid = \(([^)]+)\)$/;

const toRecord = ({ id, name, twitchId }: IgdbGame): object => ({
  id,
  name,
  slug: `game-${id}`,
  first_release_date: 1_500_000_000,
  total_rating_count: 7,
  external_games: twitchId === null ? [] : [{ id: id * 10, uid: twitchId, external_game_source: 14 }],
});
