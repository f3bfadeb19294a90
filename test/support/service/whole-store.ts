import { PLATFORMS } from '../../../src/model/platforms.js';
import { SAMPLE_DATA } from '../records/sample-data.js';
import type { TestService } from './test-service.js';

/** Sorts of the lists. */
const SORTS = {
  profiles: ['updated_at', 'last_active_at', 'followers'],
  content: ['created_at'],
} as const;

/** What differs between two answers to the same request. */
const OWN_MEMBERS = /"(received_at|request_id)":"[^"]*"/g;

/**
 * Requests every page of every list, in both orders, and every record by its ID.
 * @returns status and body by path, without what differs between two answers to the same request
 */
export async function answersOfStore(service: TestService): Promise<Map<string, string>> {
  const answers = new Map<string, string>();
  const get = async (path: string) => {
    const { status, text, body } = await service.get(path);
    answers.set(path, `${status} ${text.replace(OWN_MEMBERS, '"$1":""')}`);
    return body;
  };
  /** @returns the items of all pages */
  const walk = async (path: string): Promise<Record<string, string>[]> => {
    const items: Record<string, string>[] = [];
    let cursor: string | null = null;
    do {
      const separator = path.includes('?') ? '&' : '?';
      const body = await get(cursor === null ? path : `${path}${separator}cursor=${encodeURIComponent(cursor)}`);
      items.push(...(body.payload ?? []));
      cursor = body.paging?.next_cursor ?? null;
    } while (cursor !== null);
    return items;
  };
  for (const platform of PLATFORMS) {
    for (const [list, sorts] of Object.entries(SORTS)) {
      for (const sort of sorts) {
        for (const order of ['asc', 'desc']) {
          await walk(`/platforms/${platform}/${list}?sort=${sort}&order=${order}&limit=7`);
        }
      }
    }
    for (const { id = '' } of await walk(`/platforms/${platform}/profiles`)) {
      const path = `/platforms/${platform}/profiles/${encodeURIComponent(id)}`;
      await walk(`${path}/content?limit=7`);
      await get(`${path}?include=available`);
      for (const document of ['', '/analysis', '/audience', '/socials', '/email']) await get(`${path}${document}`);
      await get(`${path}/history?start_date=2026-01-01&end_date=2026-12-31`);
    }
    for (const { content_id = '' } of await walk(`/platforms/${platform}/content`)) {
      await get(`/platforms/${platform}/content/${encodeURIComponent(content_id)}`);
    }
  }
  for (const { id, name, live_platform_id, video_platform_id } of SAMPLE_DATA.games) {
    await get(`/platforms/gamedb/games/${id}`);
    await get(`/games/search?query=${encodeURIComponent(name)}&limit=50`);
    for (const [platform, gameId] of Object.entries({
      live_platform: live_platform_id,
      video_platform: video_platform_id,
    })) {
      if (gameId === null) continue;
      await get(`/platforms/${platform}/games/${gameId}`);
      await walk(`/platforms/${platform}/games/${gameId}/content?limit=7`);
    }
  }
  return answers;
}
