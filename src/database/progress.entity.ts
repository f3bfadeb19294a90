import { Entity } from 'typeorm';
import { BytewiseColumn, DocumentColumn } from './columns.js';

/** Progress of an unfinished reindex, by kind, or import, by key (`importKey`). */
@Entity('reindex_progress')
export class ProgressEntity {
  @BytewiseColumn(32, { primary: true }) kind: string;
  @DocumentColumn() document: Buffer;
}
