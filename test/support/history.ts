import type { Platform } from '../../src/model/platforms.js';
import type { Answer } from './http/request.js';
import { aProfile } from './records/builders.js';
import type { TestService } from './service/test-service.js';

/** The platform of the histories in tests. */
const PLATFORM: Platform = 'live_platform';

/** Requests the history of a profile. @param query such as `?interval=week` */
export const askHistory = (service: TestService, id: string, query = '', key?: string): Promise<Answer> =>
  service.get(
    `/platforms/${PLATFORM}/profiles/${encodeURIComponent(id)}/history${query}`,
    key === undefined ? {} : { 'x-api-key': key },
  );

/** Returns the points of a profile in a year as `date followers views`. */
export async function pointsOf(service: TestService, id: string, year = '2026'): Promise<string[]> {
  const { status, body } = await askHistory(service, id, `?start_date=${year}-01-01&end_date=${year}-12-31`);
  if (status !== 200) throw new Error(`${status}: ${JSON.stringify(body)}`);
  const points = body.payload as { date: string; followers: number | null; views_estimated: number | null }[];
  return points.map(({ date, followers, views_estimated }) => `${date} ${followers} ${views_estimated}`);
}

/** Creates a profile as it was observed at a time. */
export const observed = (
  id: string,
  updated_at: string | null,
  followers: number | null,
  views_estimated: number | null = null,
) => aProfile({ id, updated_at, statistics: { followers, views_estimated } });

/** Creates a line of a `history` import. */
export const historyLine = (profile_id: string, date: string, followers: number | null, more: object = {}) => ({
  platform_id: PLATFORM,
  profile_id,
  date,
  followers,
  ...more,
});
