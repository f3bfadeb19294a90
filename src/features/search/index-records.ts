import { Injectable } from '@nestjs/common';
import { UNKNOWN_SORT_VALUE } from '../../database/columns.js';
import { Database } from '../../database/database.js';
import type { KeysetList } from '../../database/keyset.js';
import type { EntityClass, Lookup } from '../../database/statements.js';
import { GAME_PLATFORMS, platformCode, type Platform } from '../../model/platforms.js';
import { DOCUMENT_ENTITIES, type CreatorDocumentEntity } from '../analysis/analysis.entities.js';
import { ContentEntity, deriveGameContentRows } from '../content/content.entity.js';
import type { Content } from '../content/content.js';
import { ProfileEntity } from '../profiles/profile.entity.js';
import { SortedRows } from './sorted-rows.js';

/** Creators per page of a build, and per look-up of changed ones. */
const PAGE = 1000;

/** Documents of content per read, which may be large. */
const CONTENT_PAGE = 250;

const PRIMARY = { source: 'primary', prefersThread: true } as const;

/** Stored links of a creator who has none. */
const NO_LINKS = Buffer.from('[]');

/** In every content document with a game. Parsing only these saves most of the time of a build. */
const GAME_TYPE = '_game"';

/** Position before the content of the first creator. Content without a creator comes before it. */
const BEFORE_CREATORS = { profile_id: '', created_at: UNKNOWN_SORT_VALUE, content_id: '' };

/** Reports whether the content of a platform can have games. */
export const hasGames = (platform: Platform): boolean => (GAME_PLATFORMS as readonly string[]).includes(platform);

const PROFILE_COLUMNS = ['document', 'followers', 'last_active_at'] as const;
type ProfileRow = Pick<ProfileEntity, 'id' | (typeof PROFILE_COLUMNS)[number]>;
type DocumentRow = Pick<CreatorDocumentEntity, 'profile_id' | 'document'>;
type IdRow = Pick<CreatorDocumentEntity, 'profile_id'>;
type ContentRow = Pick<ContentEntity, 'profile_id' | 'created_at' | 'content_id' | 'document'>;

/** Stored records of a creator that the index depends on. */
export interface IndexedCreator {
  readonly profile: ProfileRow;
  readonly analysis: Buffer | null;
  /** Kinds of documents that exist. */
  readonly has: readonly string[];
  readonly gameIds: readonly string[];
}

/** Rows of a page of creators, by their IDs. */
interface RelatedRows {
  readonly analysis: ReadonlyMap<string, DocumentRow>;
  readonly socials: ReadonlyMap<string, DocumentRow>;
  readonly audience: ReadonlyMap<string, IdRow>;
  readonly emails: ReadonlyMap<string, IdRow>;
  readonly games: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Reads the records that the index depends on, from the primary. */
@Injectable()
export class IndexRecords {
  readonly #profiles: KeysetList<ProfileRow, 'id'>;
  readonly #profilesById: Lookup<ProfileRow>;
  readonly #documents: Readonly<Record<'analysis' | 'socials', KeysetList<DocumentRow, 'profile_id'>>>;
  readonly #documentsById: Readonly<Record<'analysis' | 'socials', Lookup<DocumentRow>>>;
  readonly #ids: Readonly<Record<'audience' | 'emails', KeysetList<IdRow, 'profile_id'>>>;
  readonly #idsById: Readonly<Record<'audience' | 'emails', Lookup<IdRow>>>;
  readonly #content: KeysetList<ContentRow, 'profile_id' | 'created_at' | 'content_id'>;
  readonly #contentIds: Lookup<Pick<ContentRow, 'profile_id'>>;
  readonly #contentByCreators: Lookup<Pick<ContentRow, 'profile_id' | 'document'>>;
  readonly #contentOfCreator: KeysetList<
    Pick<ContentRow, 'created_at' | 'content_id' | 'document'>,
    'created_at' | 'content_id'
  >;

  constructor(private readonly database: Database) {
    this.#profiles = database.list({
      entity: ProfileEntity,
      filters: ['platform'],
      keys: ['id'],
      columns: PROFILE_COLUMNS,
    });
    this.#profilesById = database.lookup({
      entity: ProfileEntity,
      group: 'platform',
      id: 'id',
      columns: PROFILE_COLUMNS,
    });
    const list = <C extends 'document'>(entity: EntityClass<CreatorDocumentEntity>, columns: readonly C[]) =>
      database.list({ entity, filters: ['platform'], keys: ['profile_id'], columns });
    const lookup = <C extends 'document'>(entity: EntityClass<CreatorDocumentEntity>, columns: readonly C[]) =>
      database.lookup({ entity, group: 'platform', id: 'profile_id', columns });
    const { analysis, socials, audience, emails } = DOCUMENT_ENTITIES;
    this.#documents = { analysis: list(analysis, ['document']), socials: list(socials, ['document']) };
    this.#documentsById = { analysis: lookup(analysis, ['document']), socials: lookup(socials, ['document']) };
    this.#ids = { audience: list(audience, []), emails: list(emails, []) };
    this.#idsById = { audience: lookup(audience, []), emails: lookup(emails, []) };
    this.#content = database.list({
      entity: ContentEntity,
      filters: ['platform'],
      keys: ['profile_id', 'created_at', 'content_id'],
      columns: ['document'],
    });
    const byCreator = { entity: ContentEntity, group: 'platform', id: 'profile_id' } as const;
    this.#contentIds = database.lookup({ ...byCreator, columns: [] });
    this.#contentByCreators = database.lookup({ ...byCreator, columns: ['document'] });
    this.#contentOfCreator = database.list({
      entity: ContentEntity,
      filters: ['platform', 'profile_id'],
      keys: ['created_at', 'content_id'],
      columns: ['document'],
    });
  }

  /** Reads all creators of a platform, each table once and in the order of IDs. */
  async *readAll(platform: Platform): AsyncGenerator<IndexedCreator[]> {
    const filters = [platformCode(platform)];
    const ofCreators = <R extends IdRow>(list: KeysetList<R, 'profile_id'>) =>
      new SortedRows<R>({
        read: (after) => this.database.page(list, { filters, after, limit: PAGE }, 'primary'),
        // The last page has rows of the next creators, too.
        free: () => undefined,
        idOf: ({ profile_id }) => String(profile_id),
        limit: PAGE,
      });
    const related = {
      analysis: ofCreators(this.#documents.analysis),
      socials: ofCreators(this.#documents.socials),
      audience: ofCreators(this.#ids.audience),
      emails: ofCreators(this.#ids.emails),
    };
    const content = this.#contentByCreator(platform);
    for await (const profiles of this.database.pages(this.#profiles, { filters, limit: PAGE })) {
      const last = profiles.at(-1);
      if (last === undefined) return;
      const lastId = String(last.id);
      const read = async <R>(rows: SortedRows<R>): Promise<Map<string, R>> => {
        const found = new Map<string, R>();
        await rows.readUpTo(lastId, (id, row) => found.set(id, row));
        return found;
      };
      const games = new Map<string, Set<string>>();
      await content.readUpTo(lastId, (id, { document }) => addGames(games, id, document));
      yield joinCreators(profiles, {
        analysis: await read(related.analysis),
        socials: await read(related.socials),
        audience: await read(related.audience),
        emails: await read(related.emails),
        games,
      });
      // Nobody uses a creator after asking for the next ones.
      this.database.freePage(profiles);
    }
  }

  /** Reads some creators of a platform; unknown ones are left out. */
  async *readSome(platform: Platform, ids: readonly string[]): AsyncGenerator<IndexedCreator[]> {
    const code = platformCode(platform);
    for (let at = 0; at < ids.length; at += PAGE) {
      const part = ids.slice(at, at + PAGE);
      const find = <R>(lookup: Lookup<R>) => this.database.findMany(lookup, code, part, PRIMARY);
      const [profiles, analysis, socials, audience, emails, games] = await Promise.all([
        find(this.#profilesById),
        find(this.#documentsById.analysis),
        find(this.#documentsById.socials),
        find(this.#idsById.audience),
        find(this.#idsById.emails),
        hasGames(platform) ? this.#readGames(code, part) : new Map<string, Set<string>>(),
      ]);
      yield joinCreators(profiles, {
        analysis: byCreator(analysis),
        socials: byCreator(socials),
        audience: byCreator(audience),
        emails: byCreator(emails),
        games,
      });
    }
  }

  #contentByCreator(platform: Platform): SortedRows<ContentRow> {
    const filters = [platformCode(platform)];
    return new SortedRows<ContentRow>({
      read: (after) =>
        hasGames(platform)
          ? this.database.page(
              this.#content,
              { filters, after: after ?? BEFORE_CREATORS, limit: CONTENT_PAGE },
              'primary',
            )
          : Promise.resolve([]),
      free: (rows) => this.database.freePage(rows),
      idOf: ({ profile_id }) => String(profile_id),
      limit: CONTENT_PAGE,
    });
  }

  /** Finds the games of creators in few queries, but never reads the content of one with much at once. */
  async #readGames(code: number, ids: readonly string[]): Promise<Map<string, Set<string>>> {
    const games = new Map<string, Set<string>>();
    const numbers = new Map<string, number>();
    for (const { profile_id } of await this.database.findMany(this.#contentIds, code, ids, PRIMARY)) {
      const id = String(profile_id);
      numbers.set(id, (numbers.get(id) ?? 0) + 1);
    }
    let [group, items]: [string[], number] = [[], 0];
    const readGroup = async () => {
      const rows = await this.database.findMany(this.#contentByCreators, code, group, PRIMARY);
      for (const { profile_id, document } of rows) addGames(games, String(profile_id), document);
      [group, items] = [[], 0];
    };
    for (const [id, number] of numbers) {
      if (number > CONTENT_PAGE) await this.#readGamesOfOne(code, id, games);
      else [group, items] = [[...group, id], items + number];
      if (items > CONTENT_PAGE) await readGroup();
    }
    await readGroup();
    return games;
  }

  async #readGamesOfOne(code: number, id: string, games: Map<string, Set<string>>): Promise<void> {
    for await (const rows of this.database.pages(this.#contentOfCreator, {
      filters: [code, id],
      limit: CONTENT_PAGE,
    })) {
      for (const { document } of rows) addGames(games, id, document);
    }
  }
}

function joinCreators(
  profiles: readonly ProfileRow[],
  { analysis, socials, audience, emails, games }: RelatedRows,
): IndexedCreator[] {
  return profiles.map((profile) => {
    const id = String(profile.id);
    const links = socials.get(id);
    const analysed = analysis.get(id);
    const has = [
      ...(analysed === undefined ? [] : ['analysis']),
      ...(audience.has(id) ? ['audience'] : []),
      ...(links === undefined || links.document.equals(NO_LINKS) ? [] : ['socials']),
      ...(emails.has(id) ? ['email'] : []),
    ];
    return { profile, analysis: analysed?.document ?? null, has, gameIds: [...(games.get(id) ?? [])] };
  });
}

function byCreator<R extends IdRow>(rows: readonly R[]): Map<string, R> {
  return new Map(rows.map((row) => [String(row.profile_id), row]));
}

function addGames(games: Map<string, Set<string>>, id: string, document: Buffer): void {
  if (!document.includes(GAME_TYPE)) return;
  const found = deriveGameContentRows(JSON.parse(String(document)) as Content);
  if (found.length === 0) return;
  const known = games.get(id) ?? new Set();
  games.set(id, known);
  for (const { game_id } of found) known.add(game_id);
}
