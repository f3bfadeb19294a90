// Generated from docs/openapi.json by `npm run openapi`. Do not edit.
import { pages, records } from '../lists.js';
import { inParts } from '../parts.js';
import { Transport, type ClientOptions } from '../transport.js';
import type { AnswerOf, CallOptions, OptionsOf, ParametersOf, RecordOf } from '../types.js';

/** Client of the service. Its methods are safe to call concurrently. */
export class CreatorDataClient {
  readonly profiles: ProfilesOperations;
  readonly history: HistoryOperations;
  readonly content: ContentOperations;
  readonly games: GamesOperations;
  readonly analysis: AnalysisOperations;
  readonly audience: AudienceOperations;
  readonly socials: SocialsOperations;
  readonly email: EmailOperations;
  readonly changes: ChangesOperations;
  readonly usage: UsageOperations;
  readonly health: HealthOperations;

  constructor(options: ClientOptions) {
    const transport = new Transport(options);
    this.profiles = new ProfilesOperations(transport);
    this.history = new HistoryOperations(transport);
    this.content = new ContentOperations(transport);
    this.games = new GamesOperations(transport);
    this.analysis = new AnalysisOperations(transport);
    this.audience = new AudienceOperations(transport);
    this.socials = new SocialsOperations(transport);
    this.email = new EmailOperations(transport);
    this.changes = new ChangesOperations(transport);
    this.usage = new UsageOperations(transport);
    this.health = new HealthOperations(transport);
  }
}

/** Operations `profiles`. */
export class ProfilesOperations {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** List profiles. */
  list(
    parameters: ParametersOf<'profiles.list'>,
    options: OptionsOf<'profiles.list'> = {},
  ): Promise<AnswerOf<'profiles.list'>> {
    return this.#transport.request(
      {
        method: 'GET',
        path: '/platforms/{platform}/profiles',
        query: ['order', 'cursor', 'start_date', 'end_date', 'limit', 'sort'],
        body: [],
      },
      parameters,
      options,
    );
  }

  /** Pages of `list`, from `cursor` or the first to the last. */
  listPages(
    parameters: ParametersOf<'profiles.list'>,
    options: CallOptions = {},
  ): AsyncGenerator<AnswerOf<'profiles.list'>, void> {
    return pages((cursor) => this.list({ ...parameters, ...cursor }, options));
  }

  /** Records of all pages of `list`. */
  listAll(
    parameters: ParametersOf<'profiles.list'>,
    options: CallOptions = {},
  ): AsyncGenerator<RecordOf<'profiles.list'>, void> {
    return records(this.listPages(parameters, options));
  }

  /** Get up to 100 profiles. */
  batch(parameters: ParametersOf<'profiles.batch'>, options: CallOptions = {}): Promise<AnswerOf<'profiles.batch'>> {
    return this.#transport.request(
      { method: 'POST', path: '/platforms/{platform}/profiles', query: [], body: ['profile_ids'] },
      parameters,
      options,
    );
  }

  /** Answers of `batch` for any number of `profile_ids`, with at most 100 in a request. */
  batchInParts(
    parameters: ParametersOf<'profiles.batch'>,
    options: CallOptions = {},
  ): AsyncGenerator<AnswerOf<'profiles.batch'>, void> {
    return inParts(parameters.profile_ids, 100, (profile_ids) => this.batch({ ...parameters, profile_ids }, options));
  }

  /** Look up handles. */
  lookup(parameters: ParametersOf<'profiles.lookup'>, options: CallOptions = {}): Promise<AnswerOf<'profiles.lookup'>> {
    return this.#transport.request(
      { method: 'POST', path: '/platforms/{platform}/profiles/lookup', query: [], body: ['handles'] },
      parameters,
      options,
    );
  }

  /** Answers of `lookup` for any number of `handles`, with at most 100 in a request. */
  lookupInParts(
    parameters: ParametersOf<'profiles.lookup'>,
    options: CallOptions = {},
  ): AsyncGenerator<AnswerOf<'profiles.lookup'>, void> {
    return inParts(parameters.handles, 100, (handles) => this.lookup({ ...parameters, handles }, options));
  }

  /** Search for creators. */
  search(parameters: ParametersOf<'profiles.search'>, options: CallOptions = {}): Promise<AnswerOf<'profiles.search'>> {
    return this.#transport.request(
      {
        method: 'POST',
        path: '/platforms/{platform}/profiles/search',
        query: [],
        body: ['text', 'filters', 'not', 'exclude_ids', 'sort', 'order', 'limit', 'cursor', 'count', 'facets'],
      },
      parameters,
      options,
    );
  }

  /** Pages of `search`, from `cursor` or the first to the last. */
  searchPages(
    parameters: ParametersOf<'profiles.search'>,
    options: CallOptions = {},
  ): AsyncGenerator<AnswerOf<'profiles.search'>, void> {
    return pages((cursor) => this.search({ ...parameters, ...cursor }, options));
  }

  /** Records of all pages of `search`. */
  searchAll(
    parameters: ParametersOf<'profiles.search'>,
    options: CallOptions = {},
  ): AsyncGenerator<RecordOf<'profiles.search'>, void> {
    return records(this.searchPages(parameters, options));
  }

  /** Get a profile. */
  get(
    parameters: ParametersOf<'profiles.get'>,
    options: OptionsOf<'profiles.get'> = {},
  ): Promise<AnswerOf<'profiles.get'>> {
    return this.#transport.request(
      { method: 'GET', path: '/platforms/{platform}/profiles/{profile_id}', query: ['include'], body: [] },
      parameters,
      options,
    );
  }
}

/** Operations `history`. */
export class HistoryOperations {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Get the history of a profile. */
  get(
    parameters: ParametersOf<'history.get'>,
    options: OptionsOf<'history.get'> = {},
  ): Promise<AnswerOf<'history.get'>> {
    return this.#transport.request(
      {
        method: 'GET',
        path: '/platforms/{platform}/profiles/{profile_id}/history',
        query: ['start_date', 'end_date', 'interval'],
        body: [],
      },
      parameters,
      options,
    );
  }
}

/** Operations `content`. */
export class ContentOperations {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** List content. */
  list(
    parameters: ParametersOf<'content.list'>,
    options: OptionsOf<'content.list'> = {},
  ): Promise<AnswerOf<'content.list'>> {
    return this.#transport.request(
      {
        method: 'GET',
        path: '/platforms/{platform}/content',
        query: ['order', 'cursor', 'start_date', 'end_date', 'limit', 'sort', 'content_type'],
        body: [],
      },
      parameters,
      options,
    );
  }

  /** Pages of `list`, from `cursor` or the first to the last. */
  listPages(
    parameters: ParametersOf<'content.list'>,
    options: CallOptions = {},
  ): AsyncGenerator<AnswerOf<'content.list'>, void> {
    return pages((cursor) => this.list({ ...parameters, ...cursor }, options));
  }

  /** Records of all pages of `list`. */
  listAll(
    parameters: ParametersOf<'content.list'>,
    options: CallOptions = {},
  ): AsyncGenerator<RecordOf<'content.list'>, void> {
    return records(this.listPages(parameters, options));
  }

  /** Get up to 100 items of content. */
  batch(parameters: ParametersOf<'content.batch'>, options: CallOptions = {}): Promise<AnswerOf<'content.batch'>> {
    return this.#transport.request(
      { method: 'POST', path: '/platforms/{platform}/content', query: [], body: ['content_ids'] },
      parameters,
      options,
    );
  }

  /** Answers of `batch` for any number of `content_ids`, with at most 100 in a request. */
  batchInParts(
    parameters: ParametersOf<'content.batch'>,
    options: CallOptions = {},
  ): AsyncGenerator<AnswerOf<'content.batch'>, void> {
    return inParts(parameters.content_ids, 100, (content_ids) => this.batch({ ...parameters, content_ids }, options));
  }

  /** Get an item of content. */
  get(
    parameters: ParametersOf<'content.get'>,
    options: OptionsOf<'content.get'> = {},
  ): Promise<AnswerOf<'content.get'>> {
    return this.#transport.request(
      { method: 'GET', path: '/platforms/{platform}/content/{content_id}', query: [], body: [] },
      parameters,
      options,
    );
  }

  /** List the content of a creator. */
  byProfile(
    parameters: ParametersOf<'content.by_profile'>,
    options: OptionsOf<'content.by_profile'> = {},
  ): Promise<AnswerOf<'content.by_profile'>> {
    return this.#transport.request(
      {
        method: 'GET',
        path: '/platforms/{platform}/profiles/{profile_id}/content',
        query: ['order', 'cursor', 'start_date', 'end_date', 'limit', 'sort', 'content_type'],
        body: [],
      },
      parameters,
      options,
    );
  }

  /** Pages of `byProfile`, from `cursor` or the first to the last. */
  byProfilePages(
    parameters: ParametersOf<'content.by_profile'>,
    options: CallOptions = {},
  ): AsyncGenerator<AnswerOf<'content.by_profile'>, void> {
    return pages((cursor) => this.byProfile({ ...parameters, ...cursor }, options));
  }

  /** Records of all pages of `byProfile`. */
  byProfileAll(
    parameters: ParametersOf<'content.by_profile'>,
    options: CallOptions = {},
  ): AsyncGenerator<RecordOf<'content.by_profile'>, void> {
    return records(this.byProfilePages(parameters, options));
  }

  /** List the content of a game. */
  byGame(
    parameters: ParametersOf<'content.by_game'>,
    options: OptionsOf<'content.by_game'> = {},
  ): Promise<AnswerOf<'content.by_game'>> {
    return this.#transport.request(
      {
        method: 'GET',
        path: '/platforms/{platform}/games/{game_id}/content',
        query: ['order', 'cursor', 'start_date', 'end_date', 'limit', 'sort', 'content_type', 'include'],
        body: [],
      },
      parameters,
      options,
    );
  }

  /** Pages of `byGame`, from `cursor` or the first to the last. */
  byGamePages(
    parameters: ParametersOf<'content.by_game'>,
    options: CallOptions = {},
  ): AsyncGenerator<AnswerOf<'content.by_game'>, void> {
    return pages((cursor) => this.byGame({ ...parameters, ...cursor }, options));
  }

  /** Records of all pages of `byGame`. */
  byGameAll(
    parameters: ParametersOf<'content.by_game'>,
    options: CallOptions = {},
  ): AsyncGenerator<RecordOf<'content.by_game'>, void> {
    return records(this.byGamePages(parameters, options));
  }
}

/** Operations `games`. */
export class GamesOperations {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Search games. */
  search(
    parameters: ParametersOf<'games.search'>,
    options: OptionsOf<'games.search'> = {},
  ): Promise<AnswerOf<'games.search'>> {
    return this.#transport.request(
      { method: 'GET', path: '/games/search', query: ['query', 'platform', 'exact', 'limit'], body: [] },
      parameters,
      options,
    );
  }

  /** Get a game. */
  get(parameters: ParametersOf<'games.get'>, options: OptionsOf<'games.get'> = {}): Promise<AnswerOf<'games.get'>> {
    return this.#transport.request(
      { method: 'GET', path: '/platforms/{platform}/games/{game_id}', query: [], body: [] },
      parameters,
      options,
    );
  }

  /** Follow changes of games. */
  changes(
    parameters: ParametersOf<'games.changes'> = {},
    options: OptionsOf<'games.changes'> = {},
  ): Promise<AnswerOf<'games.changes'>> {
    return this.#transport.request(
      { method: 'GET', path: '/games/changes', query: ['cursor', 'from', 'limit'], body: [] },
      parameters,
      options,
    );
  }

  /** Pages of `changes`, from `cursor` or the first to the last. */
  changesPages(
    parameters: ParametersOf<'games.changes'> = {},
    options: CallOptions = {},
  ): AsyncGenerator<AnswerOf<'games.changes'>, void> {
    return pages((cursor) => this.changes({ ...parameters, ...cursor }, options));
  }

  /** Records of all pages of `changes`. */
  changesAll(
    parameters: ParametersOf<'games.changes'> = {},
    options: CallOptions = {},
  ): AsyncGenerator<RecordOf<'games.changes'>, void> {
    return records(this.changesPages(parameters, options));
  }
}

/** Operations `analysis`. */
export class AnalysisOperations {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Analyse a creator. */
  get(
    parameters: ParametersOf<'analysis.get'>,
    options: OptionsOf<'analysis.get'> = {},
  ): Promise<AnswerOf<'analysis.get'>> {
    return this.#transport.request(
      { method: 'GET', path: '/platforms/{platform}/profiles/{profile_id}/analysis', query: [], body: [] },
      parameters,
      options,
    );
  }
}

/** Operations `audience`. */
export class AudienceOperations {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Analyse an audience. */
  get(
    parameters: ParametersOf<'audience.get'>,
    options: OptionsOf<'audience.get'> = {},
  ): Promise<AnswerOf<'audience.get'>> {
    return this.#transport.request(
      { method: 'GET', path: '/platforms/{platform}/profiles/{profile_id}/audience', query: [], body: [] },
      parameters,
      options,
    );
  }
}

/** Operations `socials`. */
export class SocialsOperations {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Find a creator on other platforms. */
  get(
    parameters: ParametersOf<'socials.get'>,
    options: OptionsOf<'socials.get'> = {},
  ): Promise<AnswerOf<'socials.get'>> {
    return this.#transport.request(
      { method: 'GET', path: '/platforms/{platform}/profiles/{profile_id}/socials', query: [], body: [] },
      parameters,
      options,
    );
  }
}

/** Operations `email`. */
export class EmailOperations {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Get an e-mail address. */
  get(parameters: ParametersOf<'email.get'>, options: OptionsOf<'email.get'> = {}): Promise<AnswerOf<'email.get'>> {
    return this.#transport.request(
      { method: 'GET', path: '/platforms/{platform}/profiles/{profile_id}/email', query: [], body: [] },
      parameters,
      options,
    );
  }
}

/** Operations `changes`. */
export class ChangesOperations {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Follow changes of a platform. */
  list(
    parameters: ParametersOf<'changes.list'>,
    options: OptionsOf<'changes.list'> = {},
  ): Promise<AnswerOf<'changes.list'>> {
    return this.#transport.request(
      { method: 'GET', path: '/platforms/{platform}/changes', query: ['cursor', 'from', 'limit', 'kind'], body: [] },
      parameters,
      options,
    );
  }

  /** Pages of `list`, from `cursor` or the first to the last. */
  listPages(
    parameters: ParametersOf<'changes.list'>,
    options: CallOptions = {},
  ): AsyncGenerator<AnswerOf<'changes.list'>, void> {
    return pages((cursor) => this.list({ ...parameters, ...cursor }, options));
  }

  /** Records of all pages of `list`. */
  listAll(
    parameters: ParametersOf<'changes.list'>,
    options: CallOptions = {},
  ): AsyncGenerator<RecordOf<'changes.list'>, void> {
    return records(this.listPages(parameters, options));
  }
}

/** Operations `usage`. */
export class UsageOperations {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Get your usage. */
  get(
    parameters: ParametersOf<'usage.get'> = {},
    options: OptionsOf<'usage.get'> = {},
  ): Promise<AnswerOf<'usage.get'>> {
    return this.#transport.request(
      { method: 'GET', path: '/usage', query: ['start_date', 'end_date'], body: [] },
      parameters,
      options,
    );
  }
}

/** Operations `health`. */
export class HealthOperations {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Check readiness. */
  get(parameters: ParametersOf<'health'> = {}, options: OptionsOf<'health'> = {}): Promise<AnswerOf<'health'>> {
    return this.#transport.request({ method: 'GET', path: '/health', query: [], body: [] }, parameters, options);
  }

  /** Check liveness. */
  live(
    parameters: ParametersOf<'health.live'> = {},
    options: OptionsOf<'health.live'> = {},
  ): Promise<AnswerOf<'health.live'>> {
    return this.#transport.request({ method: 'GET', path: '/health/live', query: [], body: [] }, parameters, options);
  }
}
