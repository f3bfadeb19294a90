import {
  AudienceAnalysisEntity,
  CreatorAnalysisEntity,
  EmailEntity,
  SocialLinksEntity,
  type CreatorDocumentClass,
} from '../../features/analysis/analysis.entities.js';
import { AnalysisProvenanceEntity } from '../../features/analysis/enrichment.entities.js';
import { ContentEntity } from '../../features/content/content.entity.js';
import { GameEntity } from '../../features/games/game.entity.js';
import { ForgottenProfileEntity } from '../../features/profiles/forgotten-profile.entity.js';
import { ProfileEntity } from '../../features/profiles/profile.entity.js';
import { UNKNOWN_SORT_VALUE } from '../../database/columns.js';
import { ObservationEntity } from '../../database/observation.entity.js';
import type { SqlValue } from '../../database/statements.js';
import { platformCode, platformFromCode, PLATFORMS, type Platform } from '../../model/platforms.js';
import { listObservationScopes } from '../import/observations.js';
import type { RecordKind } from '../import/parse-line.js';
import { exportSource, type ExportSource } from './export-source.js';
import { HISTORY_SOURCE } from './history-source.js';

/** Platforms of a kind whose records belong to no platform. */
const NO_PLATFORM = [null];

const EVERYTHING = () => [[]];

const byPlatform = (platform: Platform | null): SqlValue[][] => (platform === null ? [] : [[platformCode(platform)]]);

const dateTimeOf = (instant: number): string | null =>
  instant === UNKNOWN_SORT_VALUE ? null : new Date(instant).toISOString();

/** Returns the start of a line, up to the value of the next member. @param member name of that member */
const startOf = (members: object, member: string): Buffer =>
  Buffer.from(`${JSON.stringify(members).slice(0, -1)},"${member}":`);

const END = Buffer.from('}');

/** Creates the source of a kind with one document per creator. @param updatedAt name of the member with the time; null: none */
const creatorDocuments = (
  kind: RecordKind,
  entity: CreatorDocumentClass,
  member: string,
  updatedAt: string | null,
): ExportSource =>
  exportSource({
    kind,
    platforms: PLATFORMS,
    entity,
    filters: ['platform'],
    keys: ['profile_id'],
    columns: ['platform', 'updated_at', 'document'],
    reads: byPlatform,
    lineOf: ({ platform, profile_id, updated_at, document }) => {
      const time = updatedAt === null ? {} : { [updatedAt]: dateTimeOf(updated_at) };
      return [startOf({ platform_id: platformFromCode(platform), profile_id, ...time }, member), document, END];
    },
  });

/**
 * Everything that an export holds, in the order in which an import loads it: forgotten creators first, so that lines about them
 * are rejected, and observations after their records.
 */
export const EXPORT_SOURCES: readonly ExportSource[] = [
  exportSource({
    kind: 'forgotten',
    platforms: PLATFORMS,
    entity: ForgottenProfileEntity,
    filters: ['platform'],
    keys: ['profile_id'],
    columns: ['platform', 'forgotten_at'],
    reads: byPlatform,
    lineOf: ({ platform, profile_id, forgotten_at }) => {
      const line = { platform_id: platformFromCode(platform), profile_id, forgotten_at: dateTimeOf(forgotten_at) };
      return [Buffer.from(JSON.stringify(line))];
    },
  }),
  exportSource({
    kind: 'games',
    platforms: NO_PLATFORM,
    entity: GameEntity,
    filters: [],
    keys: ['id'],
    columns: ['document'],
    reads: EVERYTHING,
    lineOf: ({ document }) => [document],
  }),
  exportSource({
    kind: 'profiles',
    platforms: PLATFORMS,
    entity: ProfileEntity,
    filters: ['platform'],
    keys: ['id'],
    columns: ['document'],
    reads: byPlatform,
    lineOf: ({ document }) => [document],
  }),
  HISTORY_SOURCE,
  exportSource({
    kind: 'content',
    platforms: PLATFORMS,
    entity: ContentEntity,
    filters: ['platform'],
    keys: ['created_at', 'content_id'],
    columns: ['document'],
    reads: byPlatform,
    lineOf: ({ document }) => [document],
  }),
  creatorDocuments('analysis', CreatorAnalysisEntity, 'analysis', 'updated_at'),
  exportSource({
    kind: 'provenance',
    platforms: PLATFORMS,
    entity: AnalysisProvenanceEntity,
    filters: ['platform'],
    keys: ['profile_id'],
    columns: ['document'],
    reads: byPlatform,
    lineOf: ({ document }) => [document],
  }),
  creatorDocuments('audience', AudienceAnalysisEntity, 'audience', 'last_updated_at'),
  creatorDocuments('socials', SocialLinksEntity, 'links', null),
  exportSource({
    kind: 'emails',
    platforms: PLATFORMS,
    entity: EmailEntity,
    filters: ['platform'],
    keys: ['profile_id'],
    columns: ['platform', 'document'],
    reads: byPlatform,
    // The document has the other members of the line.
    lineOf: ({ platform, profile_id, document }) => [
      Buffer.from(`${JSON.stringify({ platform_id: platformFromCode(platform), profile_id }).slice(0, -1)},`),
      document.subarray(1),
    ],
  }),
  exportSource({
    kind: 'observations',
    platforms: [...PLATFORMS, ...NO_PLATFORM],
    entity: ObservationEntity,
    filters: ['scope'],
    keys: ['id'],
    columns: ['scope', 'observed_at', 'document'],
    reads: (platform) => listObservationScopes().flatMap((each) => (each.platform === platform ? [[each.scope]] : [])),
    lineOf: ({ scope, id, observed_at, document }) => {
      const { kind, platform: platform_id } = observedRecordOf(scope);
      return [startOf({ kind, platform_id, id, observed_at: dateTimeOf(observed_at) }, 'observations'), document, END];
    },
  }),
];

const observedRecordsByScope = new Map(listObservationScopes().map((each) => [each.scope, each]));

function observedRecordOf(scope: number) {
  const found = observedRecordsByScope.get(scope);
  if (found === undefined) throw new Error(`No records have the scope ${scope}`);
  return found;
}
