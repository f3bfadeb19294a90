import { CREATOR_DOCUMENTS, SocialTargetEntity } from '../../features/analysis/analysis.entities.js';
import { ContentEntity } from '../../features/content/content.entity.js';
import { ForgottenProfileEntity } from '../../features/profiles/forgotten-profile.entity.js';
import { HistoryEntity } from '../../features/history/history.entity.js';
import { ProfileEntity } from '../../features/profiles/profile.entity.js';
import type { Database } from '../../database/database.js';
import { platformCode, type Platform } from '../../model/platforms.js';
import type { RemovedCounts } from './forget.js';
import { holdsOwnDay } from './history-store.js';

/** What is stored about a creator. */
export interface KnownCreator {
  /** Counts of what `forget` would remove. */
  readonly stored: RemovedCounts;
  /** Milliseconds since 1970; null: not forgotten. */
  readonly forgottenAt: number | null;
}

/** Counts what is stored about a creator. */
export async function findKnownCreator(database: Database, on: Platform, profileId: string): Promise<KnownCreator> {
  const { dataSource } = database;
  const platform = platformCode(on);
  const owner = { platform, profile_id: profileId };
  let documents = 0;
  for (const entity of CREATOR_DOCUMENTS) documents += await dataSource.getRepository(entity).countBy(owner);
  const target = { target_platform: platform, target_id: profileId };
  const forgotten = await dataSource.getRepository(ForgottenProfileEntity).findOneBy(owner);
  return {
    stored: {
      profiles: await dataSource.getRepository(ProfileEntity).countBy({ platform, id: profileId }),
      content: await dataSource.getRepository(ContentEntity).countBy(owner),
      documents,
      history:
        (await dataSource.getRepository(HistoryEntity).countBy(owner)) +
        Number(await holdsOwnDay(database, platform, profileId)),
      links: await dataSource.getRepository(SocialTargetEntity).countBy(target),
    },
    forgottenAt: forgotten === null ? null : Number(forgotten.forgotten_at),
  };
}
