import { CollectTargetEntity } from '../../database/collect-target.entity.js';
import type { Writer } from '../../database/database.js';
import type { Platform } from '../../model/platforms.js';
import { sourceCode, sourceOf } from './collect-source.js';

/** Removes what `collect` knows of a creator. */
export async function removeCollectTarget(writer: Writer, platform: Platform, profileId: string): Promise<void> {
  const source = sourceOf(platform);
  if (source === undefined) return;
  await writer.remove(
    CollectTargetEntity,
    ['source', 'profile_id'],
    [{ source: sourceCode(source), profile_id: profileId }],
  );
}
