import { Inject, Injectable } from '@nestjs/common';
import type { Database, FoundDocuments } from '../../database/database.js';
import { DATABASE } from '../../database/database.token.js';
import { RecordLoader } from '../../database/record-loader.js';
import { useIndex } from '../../database/keyset.js';
import { readPage, type Page } from '../../http/paging/page.js';
import { platformCode, type Platform } from '../../model/platforms.js';
import type { ProfileListRequest } from './profiles.requests.js';

/** Every statement on profiles. */
@Injectable()
export class ProfilesQueries {
  readonly #profiles: RecordLoader;
  readonly #identities: RecordLoader;

  constructor(@Inject(DATABASE) private readonly database: Database) {
    this.#profiles = new RecordLoader(database, this.#lookup(['document']), false);
    this.#identities = new RecordLoader(database, this.#lookup([]), false);
  }

  /** @returns the document, or null */
  async find(platform: Platform, id: string): Promise<Buffer | null> {
    const row = await this.#profiles.find(platformCode(platform), id);
    return row === null ? null : (row[1] as Buffer);
  }

  async exists(platform: Platform, id: string): Promise<boolean> {
    return (await this.#identities.find(platformCode(platform), id)) !== null;
  }

  findMany(platform: Platform, ids: readonly string[]): Promise<FoundDocuments> {
    return this.#profiles.findDocuments(platformCode(platform), ids);
  }

  /**
   * @param foldedHandles as `foldHandle` makes them
   * @returns the IDs by folded handle; of several profiles with one handle, the one with the most followers
   */
  async findIdsByHandle(platform: Platform, foldedHandles: readonly string[]): Promise<Map<string, string>> {
    const lookup = {
      table: 'profiles',
      group: 'platform',
      id: 'handle',
      index: 'profiles_by_handle',
      columns: ['id', 'followers'],
    };
    const rows = await this.database.findMany(lookup, platformCode(platform), foldedHandles, false);
    const best = new Map<string, { id: string; followers: number }>();
    for (const [handle, id, followers] of rows) {
      const candidate = { id: String(id), followers: Number(followers) };
      const known = best.get(String(handle));
      if (
        known === undefined ||
        candidate.followers > known.followers ||
        (candidate.followers === known.followers && candidate.id < known.id)
      ) {
        best.set(String(handle), candidate);
      }
    }
    return new Map(Array.from(best, ([handle, { id }]) => [handle, id]));
  }

  list(platform: Platform, request: ProfileListRequest): Promise<Page> {
    const index = useIndex(`profiles_by_${request.sort}`, this.database.dialect);
    return readPage(this.database, 'profiles', request, {
      select: `SELECT document, ${request.sort}, id FROM profiles ${index}`,
      filters: [['platform', platformCode(platform)]],
      sortColumn: request.sort,
      idColumn: 'id',
    });
  }

  #lookup(columns: readonly string[]) {
    return { table: 'profiles', group: 'platform', id: 'id', index: 'PRIMARY', columns };
  }
}
