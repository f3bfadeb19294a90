import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import { RecordLoader, type FoundDocuments } from '../../database/record-loader.js';
import type { KeysetList } from '../../database/keyset.js';
import { readPage, type Page } from '../../http/paging/page.js';
import { platformCode, type Platform } from '../../model/platforms.js';
import { kindOfFilter } from './content-kind.js';
import { ContentEntity, GameContentEntity } from './content.entity.js';
import type { ContentListRequest, GameContentRequest } from './content.requests.js';

const KEYS = ['created_at', 'content_id'] as const;

/** Where an item has no document, that is found by its ID. */
type List = KeysetList<Pick<GameContentEntity, 'document' | (typeof KEYS)[number]>, (typeof KEYS)[number]>;

type ListName = 'content' | 'profile_content' | 'game_content';

interface Lists {
  readonly all: List;
  readonly ofKind: List;
}

@Injectable()
export class ContentQueries {
  readonly #content: RecordLoader<ContentEntity, 'content_id', 'document'>;
  readonly #lists: Readonly<Record<ListName, Lists>>;

  constructor(private readonly database: Database) {
    this.#content = new RecordLoader(database, {
      entity: ContentEntity,
      group: 'platform',
      id: 'content_id',
      columns: ['document'],
    });
    const ofContent = (...filters: ('platform' | 'profile_id' | 'kind')[]): List =>
      database.list({ entity: ContentEntity, filters, keys: KEYS, columns: ['document'] });
    const ofGames = (...filters: ('platform' | 'game_id' | 'kind')[]): List =>
      database.list({ entity: GameContentEntity, filters, keys: KEYS, columns: ['document'] });
    this.#lists = {
      content: { all: ofContent('platform'), ofKind: ofContent('platform', 'kind') },
      profile_content: {
        all: ofContent('platform', 'profile_id'),
        ofKind: ofContent('platform', 'profile_id', 'kind'),
      },
      game_content: { all: ofGames('platform', 'game_id'), ofKind: ofGames('platform', 'game_id', 'kind') },
    };
  }

  async find(platform: Platform, id: string): Promise<Buffer | null> {
    return (await this.#content.find(platformCode(platform), id))?.document ?? null;
  }

  findMany(platform: Platform, ids: readonly string[]): Promise<FoundDocuments> {
    return this.#content.findDocuments(platformCode(platform), ids);
  }

  list(platform: Platform, request: ContentListRequest): Promise<Page> {
    return this.#page('content', request, platformCode(platform), []);
  }

  listOfProfile(platform: Platform, profileId: string, request: ContentListRequest): Promise<Page> {
    return this.#page('profile_content', request, platformCode(platform), [profileId]);
  }

  listOfGame(platform: Platform, gameId: string, request: GameContentRequest): Promise<Page> {
    return this.#page('game_content', request, platformCode(platform), [gameId]);
  }

  profileHasContent(platform: Platform, profileId: string): Promise<boolean> {
    return this.database.has(this.#lists.profile_content.all, [platformCode(platform), profileId]);
  }

  gameHasContent(platform: Platform, gameId: string): Promise<boolean> {
    return this.database.has(this.#lists.game_content.all, [platformCode(platform), gameId]);
  }

  #page(name: ListName, request: ContentListRequest, platform: number, narrower: readonly string[]): Promise<Page> {
    const kind = kindOfFilter(request.content_type);
    const { all, ofKind } = this.#lists[name];
    return readPage(this.database, name, request, {
      list: kind === null ? all : ofKind,
      filters: [platform, ...narrower, ...(kind === null ? [] : [kind])],
      findDocuments: async (ids) => {
        const rows = await this.#content.findMany(platform, ids);
        return rows.map((row) => row && row.document);
      },
    });
  }
}
