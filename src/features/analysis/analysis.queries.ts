import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import { RecordLoader } from '../../database/record-loader.js';
import { UNKNOWN_SORT_VALUE } from '../../database/columns.js';
import { platformCode, type Platform } from '../../model/platforms.js';
import type { Available, AvailableDocuments } from '../profiles/available-documents.js';
import {
  AudienceAnalysisEntity,
  CREATOR_DOCUMENTS,
  CreatorAnalysisEntity,
  EmailEntity,
  SocialLinksEntity,
  type CreatorDocumentClass,
  type CreatorDocumentEntity,
} from './analysis.entities.js';

/** Document about a creator. */
export interface CreatorDocumentRow {
  readonly document: Buffer;
  /** Time of the analysis; null if unknown. */
  readonly updatedAt: Date | null;
}

type Loader = RecordLoader<CreatorDocumentEntity, 'profile_id', 'document' | 'updated_at'>;
type IdLoader = RecordLoader<CreatorDocumentEntity, 'profile_id', never>;

/** Stored links of a creator who has none. */
const NO_LINKS = Buffer.from('[]');

/** All queries on documents about creators. */
@Injectable()
export class AnalysisQueries implements AvailableDocuments {
  readonly #loaders: ReadonlyMap<CreatorDocumentClass, Loader>;
  readonly #idLoaders: ReadonlyMap<CreatorDocumentClass, IdLoader>;

  constructor(database: Database) {
    const byId = { group: 'platform', id: 'profile_id' } as const;
    this.#loaders = new Map(
      CREATOR_DOCUMENTS.map((entity): [CreatorDocumentClass, Loader] => [
        entity,
        new RecordLoader(database, { ...byId, entity, columns: ['document', 'updated_at'] }),
      ]),
    );
    this.#idLoaders = new Map(
      [CreatorAnalysisEntity, AudienceAnalysisEntity, EmailEntity].map((entity): [CreatorDocumentClass, IdLoader] => [
        entity,
        new RecordLoader(database, { ...byId, entity, columns: [] }),
      ]),
    );
  }

  async find(entity: CreatorDocumentClass, platform: Platform, profileId: string): Promise<CreatorDocumentRow | null> {
    const found = await this.#loaders.get(entity)?.find(platformCode(platform), profileId);
    if (!found) return null;
    const { document, updated_at } = found;
    return { document, updatedAt: updated_at === UNKNOWN_SORT_VALUE ? null : new Date(updated_at) };
  }

  async findAvailable(platform: Platform, profileId: string, hidden: ReadonlySet<string> | null): Promise<Available> {
    const exists = async (entity: CreatorDocumentClass) =>
      !!(await this.#idLoaders.get(entity)?.find(platformCode(platform), profileId));
    const [analysis, audience, links, email] = await Promise.all([
      exists(CreatorAnalysisEntity),
      exists(AudienceAnalysisEntity),
      this.find(SocialLinksEntity, platform, profileId),
      hidden?.has('email') ? false : exists(EmailEntity),
    ]);
    return { analysis, audience, socials: links !== null && !links.document.equals(NO_LINKS), email };
  }
}
