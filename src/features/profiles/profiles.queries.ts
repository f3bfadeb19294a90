import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import { RecordLoader, type FoundDocuments } from '../../database/record-loader.js';
import type { Lookup } from '../../database/statements.js';
import { PagedList, type Page } from '../../http/paging/paged-list.js';
import { platformCode, type Platform } from '../../model/platforms.js';
import { ProfileEntity } from './profile.entity.js';
import { PROFILE_LIST } from './profile.list.js';
import type { ProfileListRequest } from './profiles.requests.js';

type Owner = Pick<ProfileEntity, 'handle' | 'id' | 'followers'>;

@Injectable()
export class ProfilesQueries {
  readonly #profiles: RecordLoader<ProfileEntity, 'id', 'document'>;
  readonly #identities: RecordLoader<ProfileEntity, 'id', never>;
  readonly #byHandle: Lookup<Owner>;
  readonly #list: PagedList<typeof PROFILE_LIST>;

  constructor(private readonly database: Database) {
    const byId = { entity: ProfileEntity, group: 'platform', id: 'id' } as const;
    this.#profiles = new RecordLoader(database, { ...byId, columns: ['document'] });
    this.#identities = new RecordLoader(database, { ...byId, columns: [] });
    this.#byHandle = database.lookup({ ...byId, id: 'handle', columns: ['id', 'followers'] });
    this.#list = new PagedList(database, PROFILE_LIST);
  }

  async find(platform: Platform, id: string): Promise<Buffer | null> {
    return (await this.#profiles.find(platformCode(platform), id))?.document ?? null;
  }

  async exists(platform: Platform, id: string): Promise<boolean> {
    return (await this.#identities.find(platformCode(platform), id)) !== null;
  }

  findMany(platform: Platform, ids: readonly string[]): Promise<FoundDocuments> {
    return this.#profiles.findDocuments(platformCode(platform), ids);
  }

  /** @returns IDs by folded handle (`foldHandle`); of profiles with one handle, the one with the most followers */
  async findIdsByHandle(platform: Platform, foldedHandles: readonly string[]): Promise<Map<string, string>> {
    const best = new Map<string, Owner>();
    for (const owner of await this.database.findMany(this.#byHandle, platformCode(platform), foldedHandles)) {
      const handle = String(owner.handle);
      const known = best.get(handle);
      if (known === undefined || isFollowedMore(owner, known)) best.set(handle, owner);
    }
    return new Map(Array.from(best, ([handle, { id }]) => [handle, id]));
  }

  /** @param hidden members that the key's policy hides */
  list(platform: Platform, request: ProfileListRequest, hidden: ReadonlySet<string> | null): Promise<Page> {
    return this.#list.page([platformCode(platform)], request, { hidden });
  }
}

const isFollowedMore = (owner: Owner, other: Owner): boolean =>
  owner.followers > other.followers || (owner.followers === other.followers && owner.id < other.id);
