import { Inject, Injectable } from '@nestjs/common';
import type { Database } from '../../database/database.js';
import { DATABASE } from '../../database/database.token.js';
import { RecordLoader } from '../../database/record-loader.js';
import { UNKNOWN_SORT_VALUE } from '../../database/columns.js';
import { platformCode, type Platform } from '../../model/platforms.js';
import type { CreatorDocumentTable } from './analysis.entities.js';

/** A creator's document of one kind. */
export interface CreatorDocument {
  readonly document: Buffer;
  /** When it was made, null where unknown. */
  readonly updatedAt: Date | null;
}

/** Every statement on what is known about a creator beyond the profile. */
@Injectable()
export class AnalysisQueries {
  readonly #loaders: Readonly<Record<CreatorDocumentTable, RecordLoader>>;

  constructor(@Inject(DATABASE) database: Database) {
    const loader = (table: CreatorDocumentTable) => {
      const columns = ['document', 'updated_at'];
      return new RecordLoader(
        database,
        { table, group: 'platform', id: 'profile_id', index: 'PRIMARY', columns },
        false,
      );
    };
    this.#loaders = {
      creator_analyses: loader('creator_analyses'),
      audience_analyses: loader('audience_analyses'),
      social_links: loader('social_links'),
      emails: loader('emails'),
    };
  }

  async find(table: CreatorDocumentTable, platform: Platform, profileId: string): Promise<CreatorDocument | null> {
    const row = await this.#loaders[table].find(platformCode(platform), profileId);
    if (row === null) return null;
    const updatedAt = Number(row[2]);
    return { document: row[1] as Buffer, updatedAt: updatedAt === UNKNOWN_SORT_VALUE ? null : new Date(updatedAt) };
  }
}
