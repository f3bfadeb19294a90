import { Column, Entity, Index } from 'typeorm';
import { BigintColumn, BytewiseColumn, DocumentColumn, IdColumn, PlatformColumn } from '../../database/columns.js';

/** Maximum length of the name of a model in UTF-8 bytes. */
export const MAX_MODEL_BYTES = 255;

/** How a stored analysis was made by a model. Only analyses whose `source` is `model` have a row. */
@Entity('analysis_provenance')
export class AnalysisProvenanceEntity {
  @PlatformColumn({ primary: true }) platform: number;
  @IdColumn({ primary: true }) profile_id: string;
  @BytewiseColumn(MAX_MODEL_BYTES) model: string;
  /** The record of kind `provenance`, as an export writes it. */
  @DocumentColumn() document: Buffer;
}

/** Outcome of the calls of `enrich analysis` for one input, so that it is never paid for twice. */
@Entity('enrichment_journal')
@Index('enrichment_journal_by_owner', ['platform', 'profile_id'])
export class EnrichmentJournalEntity {
  /** SHA-256 of model, prompt, schema and input, in hexadecimal. */
  @BytewiseColumn(64, { primary: true }) hash: string;
  @PlatformColumn() platform: number;
  @IdColumn() profile_id: string;
  /** Code of a `JournalState`. */
  @Column({ type: 'tinyint' }) state: number;
  /** Tokens that all calls for this input were charged for. */
  @BigintColumn() input_tokens: number;
  @BigintColumn() output_tokens: number;
  /** Milliseconds since 1970. */
  @BigintColumn() changed_at: number;
  /** Why the answer is invalid; null if it is valid. */
  @DocumentColumn({ nullable: true }) reason: Buffer | null;
  /** The answer, and how a valid one was made, as JSON; null for a rejected input. */
  @DocumentColumn({ nullable: true }) document: Buffer | null;
}

/** Run of `enrich analysis`, with what it has spent and reserved. */
@Entity('enrichment_runs')
export class EnrichmentRunEntity {
  @BytewiseColumn(32, { primary: true }) id: string;
  /** Milliseconds since 1970. */
  @BigintColumn() started_at: number;
  /** Milliseconds since 1970; 0 for a run that has not ended, or was killed. */
  @BigintColumn() ended_at: number;
  /** State of the run as JSON (see `operator/enrich/ledger.ts`). */
  @DocumentColumn() document: Buffer;
}
