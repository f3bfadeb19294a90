import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import { RecordLoader } from '../../database/record-loader.js';
import { UNKNOWN_SORT_VALUE } from '../../database/columns.js';
import { platformCode, type Platform } from '../../model/platforms.js';
import type { Available, AvailableDocuments } from '../profiles/available-documents.js';
import {
  ANALYSIS_SOURCES,
  AudienceAnalysisEntity,
  CreatorAnalysisEntity,
  EmailEntity,
  SocialLinksEntity,
  type AnalysisSource,
  type CreatorDocumentClass,
  type CreatorDocumentEntity,
} from './analysis.entities.js';

/** Document about a creator. */
export interface CreatorDocumentRow {
  readonly document: Buffer;
  /** Time of the analysis; null if unknown. */
  readonly updatedAt: Date | null;
}

/** Analysis of a creator, and where it comes from. */
export interface AnalysisRow extends CreatorDocumentRow {
  readonly source: AnalysisSource;
}

/** Entity of a document about a creator other than the analysis. */
type OtherDocumentClass = typeof AudienceAnalysisEntity | typeof SocialLinksEntity | typeof EmailEntity;

type Loader = RecordLoader<CreatorDocumentEntity, 'profile_id', 'document' | 'updated_at'>;
type AnalysisLoader = RecordLoader<CreatorAnalysisEntity, 'profile_id', 'document' | 'updated_at' | 'source'>;
type IdLoader = RecordLoader<CreatorDocumentEntity, 'profile_id', never>;

/** Stored links of a creator who has none. */
const NO_LINKS = Buffer.from('[]');

/** All queries on documents about creators. */
@Injectable()
export class AnalysisQueries implements AvailableDocuments {
  readonly #loaders: ReadonlyMap<CreatorDocumentClass, Loader>;
  readonly #analyses: AnalysisLoader;
  readonly #idLoaders: ReadonlyMap<CreatorDocumentClass, IdLoader>;

  constructor(database: Database) {
    const byId = { group: 'platform', id: 'profile_id' } as const;
    this.#loaders = new Map(
      [AudienceAnalysisEntity, SocialLinksEntity, EmailEntity].map((entity): [CreatorDocumentClass, Loader] => [
        entity,
        new RecordLoader(database, { ...byId, entity, columns: ['document', 'updated_at'] }),
      ]),
    );
    this.#analyses = new RecordLoader(database, {
      ...byId,
      entity: CreatorAnalysisEntity,
      columns: ['document', 'updated_at', 'source'],
    });
    this.#idLoaders = new Map(
      [CreatorAnalysisEntity, AudienceAnalysisEntity, EmailEntity].map((entity): [CreatorDocumentClass, IdLoader] => [
        entity,
        new RecordLoader(database, { ...byId, entity, columns: [] }),
      ]),
    );
  }

  /** Finds a document about a creator. For the creator analysis, use `findAnalysis`. */
  async find(entity: OtherDocumentClass, platform: Platform, profileId: string): Promise<CreatorDocumentRow | null> {
    const found = await this.#loaders.get(entity)?.find(platformCode(platform), profileId);
    return found ? toDocumentRow(found) : null;
  }

  async findAnalysis(platform: Platform, profileId: string): Promise<AnalysisRow | null> {
    const found = await this.#analyses.find(platformCode(platform), profileId);
    return found && { ...toDocumentRow(found), source: ANALYSIS_SOURCES[found.source] ?? 'database' };
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

const toDocumentRow = ({
  document,
  updated_at,
}: Pick<CreatorDocumentEntity, 'document' | 'updated_at'>): CreatorDocumentRow => ({
  document,
  updatedAt: updated_at === UNKNOWN_SORT_VALUE ? null : new Date(updated_at),
});
