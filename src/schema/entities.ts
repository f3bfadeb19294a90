import {
  AudienceAnalysisEntity,
  CreatorAnalysisEntity,
  EmailEntity,
  SocialLinksEntity,
  SocialTargetEntity,
} from '../features/analysis/analysis.entities.js';
import {
  AnalysisProvenanceEntity,
  EnrichmentJournalEntity,
  EnrichmentRunEntity,
} from '../features/analysis/enrichment.entities.js';
import { SecretEntity } from '../database/secret.entity.js';
import { ApiKeyEntity } from '../features/auth/api-key.entity.js';
import { ContentEntity, GameContentEntity } from '../features/content/content.entity.js';
import { GameEntity } from '../features/games/game.entity.js';
import { HistoryEntity } from '../features/history/history.entity.js';
import { ForgottenProfileEntity } from '../features/profiles/forgotten-profile.entity.js';
import { ProfileEntity } from '../features/profiles/profile.entity.js';
import { CollectDayEntity } from '../database/collect-day.entity.js';
import { CollectTargetEntity } from '../database/collect-target.entity.js';
import { CounterEntity } from '../database/counter.entity.js';
import { AuditEntryEntity } from '../database/audit-entry.entity.js';
import { DeletedRecordEntity } from '../database/deleted-record.entity.js';
import { ObservationEntity } from '../database/observation.entity.js';
import { ProgressEntity } from '../database/progress.entity.js';
import { KeyMonthEntity, UsageGroupEntity, UsageTotalEntity, UsageWriterEntity } from '../receipts/usage.entities.js';

/** All entities of the service. A test compares them with the migrated schema of both databases. */
export const ENTITIES = [
  ProfileEntity,
  ContentEntity,
  GameContentEntity,
  GameEntity,
  CreatorAnalysisEntity,
  AudienceAnalysisEntity,
  SocialLinksEntity,
  EmailEntity,
  SocialTargetEntity,
  ApiKeyEntity,
  SecretEntity,
  UsageGroupEntity,
  UsageTotalEntity,
  UsageWriterEntity,
  KeyMonthEntity,
  ForgottenProfileEntity,
  CounterEntity,
  ObservationEntity,
  DeletedRecordEntity,
  ProgressEntity,
  AuditEntryEntity,
  HistoryEntity,
  CollectDayEntity,
  CollectTargetEntity,
  AnalysisProvenanceEntity,
  EnrichmentJournalEntity,
  EnrichmentRunEntity,
];
