import { Entity } from 'typeorm';
import { BytewiseColumn, DocumentColumn } from './columns.js';

/** Progress of an unfinished reindex. */
@Entity('reindex_progress')
export class ReindexProgressEntity {
  @BytewiseColumn(32, { primary: true }) kind: string;
  @DocumentColumn() document: Buffer;
}
