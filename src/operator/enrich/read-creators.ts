import type { Database } from '../../database/database.js';
import { CreatorAnalysisEntity, SocialLinksEntity } from '../../features/analysis/analysis.entities.js';
import { AnalysisProvenanceEntity } from '../../features/analysis/enrichment.entities.js';
import type { ProvenanceLine } from '../../features/analysis/provenance.js';
import type { SocialLink } from '../../features/analysis/social-link.js';
import { ContentEntity } from '../../features/content/content.entity.js';
import type { Content } from '../../features/content/content.js';
import { ProfileEntity } from '../../features/profiles/profile.entity.js';
import type { Profile } from '../../features/profiles/profile.js';
import { platformCode, type Platform } from '../../model/platforms.js';
import { MAX_ITEMS, type CreatorRecords } from './creator-input.js';

/** IDs per read. */
const IDS_PER_PAGE = 500;

/** Creators to analyse. */
export interface Selection {
  readonly platforms: readonly Platform[];
  /** IDs on the only platform; null: all. */
  readonly ids: readonly string[] | null;
  /** Whether creators with an analysis are selected. */
  readonly includesAnalysed: boolean;
  /** Milliseconds since 1970: also creators whose analysis is older, or has no date; null: none. */
  readonly olderThan: number | null;
}

/** Selects creators from the store. Profiles are read by platform and ID, so a run continues in the order of the one before. */
export class CreatorReader {
  readonly #list;
  readonly #profiles;
  readonly #analyses;
  readonly #content;
  readonly #links;
  readonly #provenance;

  constructor(private readonly database: Database) {
    const byId = { group: 'platform', id: 'profile_id' } as const;
    this.#list = database.list({ entity: ProfileEntity, filters: ['platform'], keys: ['id'], columns: [] });
    this.#profiles = database.lookup({ entity: ProfileEntity, group: 'platform', id: 'id', columns: ['document'] });
    this.#analyses = database.lookup({ ...byId, entity: CreatorAnalysisEntity, columns: ['updated_at'] });
    this.#links = database.lookup({ ...byId, entity: SocialLinksEntity, columns: ['document'] });
    this.#provenance = database.lookup({ ...byId, entity: AnalysisProvenanceEntity, columns: ['document'] });
    this.#content = database.list({
      entity: ContentEntity,
      filters: ['platform', 'profile_id'],
      keys: ['created_at', 'content_id'],
      columns: ['document'],
    });
  }

  /** Returns those IDs whose profiles are not stored. */
  async findUnknown(platform: Platform, ids: readonly string[]): Promise<string[]> {
    const rows = await this.database.findMany(this.#profiles, platformCode(platform), ids, { source: 'primary' });
    const known = new Set(rows.map(({ id }) => String(id)));
    return ids.filter((id) => !known.has(id));
  }

  /** Yields the selected IDs of a platform. Those of `ids` that are not stored are left out. */
  async *select(platform: Platform, { ids, includesAnalysed, olderThan }: Selection): AsyncGenerator<string[]> {
    const filters = [platformCode(platform)];
    for await (const page of ids === null ? this.#allIds(filters) : this.#storedIds(platform, ids)) {
      // Names a creator: the analysis is made even if there is one.
      const isNamed = ids !== null && olderThan === null;
      if (includesAnalysed || isNamed) {
        yield page;
        continue;
      }
      const analyses = await this.database.findMany(this.#analyses, platformCode(platform), page, {
        source: 'primary',
      });
      const dates = new Map(analyses.map(({ profile_id, updated_at }) => [String(profile_id), Number(updated_at)]));
      yield page.filter((id) => {
        const date = dates.get(id);
        return date === undefined || (olderThan !== null && date < olderThan);
      });
    }
  }

  async *#allIds(filters: readonly number[]): AsyncGenerator<string[]> {
    for await (const rows of this.database.pages(this.#list, { filters, limit: IDS_PER_PAGE })) {
      yield rows.map(({ id }) => String(id));
    }
  }

  async *#storedIds(platform: Platform, ids: readonly string[]): AsyncGenerator<string[]> {
    const rows = await this.database.findMany(this.#profiles, platformCode(platform), [...new Set(ids)], {
      source: 'primary',
    });
    yield rows.map(({ id }) => String(id));
  }

  /** Reads the records about a creator. @returns null if the profile is not stored any more */
  async read(platform: Platform, id: string): Promise<CreatorRecords | null> {
    const code = platformCode(platform);
    const reading = { source: 'primary' } as const;
    const [[profile], items, [links]] = await Promise.all([
      this.database.findMany(this.#profiles, code, [id], reading),
      this.#readContent(code, id),
      this.database.findMany(this.#links, code, [id], reading),
    ]);
    if (profile === undefined) return null;
    return {
      profile: parse<Profile>(profile.document),
      content: items.map(({ document }) => parse<Content>(document)),
      links: links === undefined ? [] : parse<SocialLink[]>(links.document),
    };
  }

  /** Reads the newest content. Not on a reading thread, which takes 13 MiB: nobody waits for this process meanwhile. */
  #readContent(platform: number, id: string) {
    // A page reads one row more than its limit.
    const { statement, values } = this.#content.page({ filters: [platform, id], order: 'desc', limit: MAX_ITEMS - 1 });
    return this.database.all(statement, values, { source: 'primary' });
  }

  /** Returns the hashes of the inputs from which stored analyses were made, by creator. */
  async findInputHashes(platform: Platform, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const rows = await this.database.findMany(this.#provenance, platformCode(platform), ids, { source: 'primary' });
    return new Map(
      rows.map(({ profile_id, document }) => [String(profile_id), parse<ProvenanceLine>(document).input_hash]),
    );
  }
}

const parse = <T>(document: Buffer): T => JSON.parse(String(document)) as T;
