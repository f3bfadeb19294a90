import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import { RecordLoader, type FoundDocuments } from '../../database/record-loader.js';
import { PagedList, type Page } from '../../http/paging/paged-list.js';
import { platformCode, type Platform } from '../../model/platforms.js';
import { ContentEntity } from './content.entity.js';
import { CONTENT_LIST, GAME_CONTENT_LIST, PROFILE_CONTENT_LIST } from './content.lists.js';
import type { ContentListRequest, GameContentRequest } from './content.requests.js';

/** Members that the key's policy hides; null for none. */
type HiddenNames = ReadonlySet<string> | null;

/** All queries on content. */
@Injectable()
export class ContentQueries {
  readonly #content: RecordLoader<ContentEntity, 'content_id', 'document'>;
  readonly #ofPlatform: PagedList<typeof CONTENT_LIST>;
  readonly #ofProfile: PagedList<typeof PROFILE_CONTENT_LIST>;
  readonly #ofGame: PagedList<typeof GAME_CONTENT_LIST>;

  constructor(database: Database) {
    this.#content = new RecordLoader(database, {
      entity: ContentEntity,
      group: 'platform',
      id: 'content_id',
      columns: ['document'],
    });
    this.#ofPlatform = new PagedList(database, CONTENT_LIST);
    this.#ofProfile = new PagedList(database, PROFILE_CONTENT_LIST);
    this.#ofGame = new PagedList(database, GAME_CONTENT_LIST);
  }

  async find(platform: Platform, id: string): Promise<Buffer | null> {
    return (await this.#content.find(platformCode(platform), id))?.document ?? null;
  }

  findMany(platform: Platform, ids: readonly string[]): Promise<FoundDocuments> {
    return this.#content.findDocuments(platformCode(platform), ids);
  }

  list(platform: Platform, request: ContentListRequest, hidden: HiddenNames): Promise<Page> {
    return this.#ofPlatform.readPage([platformCode(platform)], request, { hidden });
  }

  listOfProfile(
    platform: Platform,
    profileId: string,
    request: ContentListRequest,
    hidden: HiddenNames,
  ): Promise<Page> {
    return this.#ofProfile.readPage([platformCode(platform), profileId], request, { hidden });
  }

  listOfGame(platform: Platform, gameId: string, request: GameContentRequest, hidden: HiddenNames): Promise<Page> {
    const code = platformCode(platform);
    const findDocuments = async (ids: readonly string[]) => {
      const rows = await this.#content.findMany(code, ids);
      return rows.map((row) => row && row.document);
    };
    return this.#ofGame.readPage([code, gameId], request, { hidden, findDocuments });
  }

  profileHasContent(platform: Platform, profileId: string): Promise<boolean> {
    return this.#ofProfile.hasItems([platformCode(platform), profileId]);
  }

  gameHasContent(platform: Platform, gameId: string): Promise<boolean> {
    return this.#ofGame.hasItems([platformCode(platform), gameId]);
  }
}
