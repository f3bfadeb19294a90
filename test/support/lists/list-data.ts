import { CONTENT_LIST } from '../../../src/features/content/content.lists.js';
import { PROFILE_LIST } from '../../../src/features/profiles/profile.list.js';
import { aContent, aProfile, liveGame, uniqueId } from '../records/builders.js';
import { filteredMembers } from './list-cases.js';
import type { TestService } from '../service/test-service.js';

/** Number of rows at which reading all of them, or skipping to a deep page, shows in the counters. */
const ROWS = 1200;

/** Fills all lists: half the items match each declared filter; other creators and games have items as well. */
export async function fillLists(service: TestService): Promise<{ profile: string; game: string }> {
  const [profile, game] = [uniqueId(), uniqueId()];
  const at = (index: number) => new Date(Date.UTC(2026, 0, 2) + (index % 600) * 12 * 3_600_000).toISOString();
  const numbers = Array.from({ length: ROWS }, (_, index) => index);
  await service.load(
    'profiles',
    ...numbers.map((index) =>
      aProfile({
        updated_at: index % 50 === 0 ? null : at(index),
        last_active_at: at(index * 7),
        statistics: { followers: index % 300, views_estimated: null },
        ...filteredMembers(PROFILE_LIST, index),
      }),
    ),
  );
  await service.load(
    'content',
    ...numbers.map((index) =>
      aContent({
        created_at: at(index),
        profile_id: index % 4 < 3 ? profile : uniqueId(),
        categories: [liveGame(index % 4 < 3 ? game : uniqueId())],
        ...filteredMembers(CONTENT_LIST, index),
      }),
    ),
  );
  return { profile, game };
}
