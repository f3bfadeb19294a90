import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import { RecordLoader, type FoundDocuments } from '../../database/record-loader.js';
import type { Lookup } from '../../database/statements.js';
import { hideMembers } from '../../http/envelope/hide-members.js';
import { PagedList, type Page } from '../../http/paging/paged-list.js';
import { platformCode, type Platform } from '../../model/platforms.js';
import type { Profile } from './profile.js';
import { ProfileEntity } from './profile.entity.js';
import { PROFILE_LIST } from './profile.list.js';
import type { ProfileListRequest } from './profiles.requests.js';

/** Names of a creator. */
export type CreatorName = Pick<Profile, 'id' | 'name' | 'display_name'>;

type HandleOwner = Pick<ProfileEntity, 'handle' | 'id' | 'followers'>;

/** All queries on profiles. */
@Injectable()
export class ProfilesQueries {
  readonly #profiles: RecordLoader<ProfileEntity, 'id', 'document'>;
  readonly #identities: RecordLoader<ProfileEntity, 'id', never>;
  readonly #byHandle: Lookup<HandleOwner>;
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

  /** Finds the names of creators in the order of their IDs; unknown IDs are left out. @param hidden members that the key's
   * policy hides */
  async findNames(
    platform: Platform,
    ids: readonly string[],
    hidden: ReadonlySet<string> | null,
  ): Promise<CreatorName[]> {
    if (ids.length === 0) return [];
    const { documents } = await this.findMany(platform, ids);
    return documents.map((document) => {
      const shown = hidden === null ? document : hideMembers(document, hidden);
      const { id, name, display_name } = JSON.parse(String(shown)) as Profile;
      return { id, name, display_name };
    });
  }

  /** Finds the ID per folded handle (`foldHandle`). Of several profiles with one handle, the one with the most followers wins; ties
   * break by ID. */
  async findIdsByHandle(platform: Platform, foldedHandles: readonly string[]): Promise<Map<string, string>> {
    const best = new Map<string, HandleOwner>();
    for (const owner of await this.database.findMany(this.#byHandle, platformCode(platform), foldedHandles)) {
      const handle = String(owner.handle);
      const known = best.get(handle);
      if (known === undefined || hasMoreFollowers(owner, known)) best.set(handle, owner);
    }
    return new Map(Array.from(best, ([handle, { id }]) => [handle, id]));
  }

  /** Reads a page of profiles. @param hidden members that the key's policy hides */
  list(platform: Platform, request: ProfileListRequest, hidden: ReadonlySet<string> | null): Promise<Page> {
    return this.#list.readPage([platformCode(platform)], request, { hidden });
  }
}

const hasMoreFollowers = (owner: HandleOwner, other: HandleOwner): boolean =>
  owner.followers > other.followers || (owner.followers === other.followers && owner.id < other.id);
