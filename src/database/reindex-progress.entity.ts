import { Entity } from 'typeorm';
import { BytewiseColumn, DocumentColumn } from './columns.js';

/** How far a reindex that has not ended yet has come. */
@Entity('reindex_progress')
export class ReindexProgressEntity {
  @BytewiseColumn(32, { primary: true }) kind: string;
  @DocumentColumn() document: Buffer;
}
