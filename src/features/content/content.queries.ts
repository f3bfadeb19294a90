import { Inject, Injectable } from '@nestjs/common';
import type { Database, FoundDocuments, Lookup, SqlValue } from '../../database/database.js';
import { DATABASE } from '../../database/database.token.js';
import { RecordLoader } from '../../database/record-loader.js';
import { useIndex } from '../../database/keyset.js';
import { readPage, type Page } from '../../http/paging/page.js';
import { platformCode, type Platform } from '../../model/platforms.js';
import { kindOfFilter } from './content-kind.js';
import type { ContentListRequest, GameContentRequest } from './content.requests.js';

const CONTENT_BY_ID: Lookup = {
  table: 'content',
  group: 'platform',
  id: 'content_id',
  index: 'content_by_id',
  columns: ['document'],
};

type Filter = readonly [column: string, value: SqlValue];

/** Every statement on content. */
@Injectable()
export class ContentQueries {
  readonly #content: RecordLoader;

  constructor(@Inject(DATABASE) private readonly database: Database) {
    this.#content = new RecordLoader(database, CONTENT_BY_ID, false);
  }

  /** @returns the document, or null */
  async find(platform: Platform, id: string): Promise<Buffer | null> {
    const row = await this.#content.find(platformCode(platform), id);
    return row === null ? null : (row[1] as Buffer);
  }

  findMany(platform: Platform, ids: readonly string[]): Promise<FoundDocuments> {
    return this.#content.findDocuments(platformCode(platform), ids);
  }

  list(platform: Platform, request: ContentListRequest): Promise<Page> {
    const kind = kindOfFilter(request.content_type);
    const filters: Filter[] = [['platform', platformCode(platform)]];
    if (kind !== null) filters.push(['kind', kind]);
    return this.#page('content', platform, request, kind === null ? 'PRIMARY' : 'content_by_kind', filters);
  }

  listOfProfile(platform: Platform, profileId: string, request: ContentListRequest): Promise<Page> {
    const kind = kindOfFilter(request.content_type);
    const filters: Filter[] = [
      ['platform', platformCode(platform)],
      ['profile_id', profileId],
    ];
    if (kind !== null) filters.push(['kind', kind]);
    return this.#page(
      'profile_content',
      platform,
      request,
      kind === null ? 'content_by_profile' : 'content_by_profile_kind',
      filters,
    );
  }

  listOfGame(platform: Platform, gameId: string, request: GameContentRequest): Promise<Page> {
    const kind = kindOfFilter(request.content_type);
    const filters: Filter[] = [
      ['platform', platformCode(platform)],
      ['game_id', gameId],
    ];
    if (kind !== null) filters.push(['kind', kind]);
    return this.#page('game_content', platform, request, kind === null ? 'PRIMARY' : 'game_content_by_kind', filters);
  }

  async profileHasContent(platform: Platform, profileId: string): Promise<boolean> {
    const sql = 'SELECT 1 FROM content WHERE platform = ? AND profile_id = ? LIMIT 1';
    return (await this.database.read(sql, [platformCode(platform), profileId])).length > 0;
  }

  async gameHasContent(platform: Platform, gameId: string): Promise<boolean> {
    const sql = 'SELECT 1 FROM game_content WHERE platform = ? AND game_id = ? LIMIT 1';
    return (await this.database.read(sql, [platformCode(platform), gameId])).length > 0;
  }

  #page(
    kind: 'content' | 'profile_content' | 'game_content',
    platform: Platform,
    request: ContentListRequest,
    index: string,
    filters: readonly Filter[],
  ): Promise<Page> {
    const table = kind === 'game_content' ? 'game_content' : 'content';
    return readPage(this.database, kind, request, {
      select: `SELECT document, created_at, content_id FROM ${table} ${useIndex(index, this.database.dialect)}`,
      filters,
      sortColumn: 'created_at',
      idColumn: 'content_id',
      findDocuments: async (ids) => {
        const rows = await this.#content.findMany(platformCode(platform), ids);
        return rows.map((row) => row && (row[1] as Buffer));
      },
    });
  }
}
