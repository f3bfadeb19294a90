import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import { RecordLoader } from '../../database/record-loader.js';
import { UNKNOWN_SORT_VALUE } from '../../database/columns.js';
import { platformCode, type Platform } from '../../model/platforms.js';
import { CREATOR_DOCUMENTS, type CreatorDocumentClass, type CreatorDocumentEntity } from './analysis.entities.js';

/** Document about a creator. */
export interface CreatorDocumentRow {
  readonly document: Buffer;
  /** Time of the analysis; null if unknown. */
  readonly updatedAt: Date | null;
}

type Loader = RecordLoader<CreatorDocumentEntity, 'profile_id', 'document' | 'updated_at'>;

/** All queries on documents about creators. */
@Injectable()
export class AnalysisQueries {
  readonly #loaders: ReadonlyMap<CreatorDocumentClass, Loader>;

  constructor(database: Database) {
    this.#loaders = new Map(
      CREATOR_DOCUMENTS.map((entity): [CreatorDocumentClass, Loader] => [
        entity,
        new RecordLoader(database, {
          entity,
          group: 'platform',
          id: 'profile_id',
          columns: ['document', 'updated_at'],
        }),
      ]),
    );
  }

  async find(entity: CreatorDocumentClass, platform: Platform, profileId: string): Promise<CreatorDocumentRow | null> {
    const found = await this.#loaders.get(entity)?.find(platformCode(platform), profileId);
    if (!found) return null;
    const { document, updated_at } = found;
    return { document, updatedAt: updated_at === UNKNOWN_SORT_VALUE ? null : new Date(updated_at) };
  }
}
