import type { SocialLink } from '../../features/analysis/social-link.js';
import type { Database, Writer } from '../../database/database.js';
import { platformCode, platformOf, type Platform } from '../../model/platforms.js';
import { LINK_KEY, linkKeys } from './content-store.js';

/** Items of content removed at once: what is held in memory of a creator with very many. */
const CHUNK = 1000;

/** What was removed. */
export interface Forgotten {
  readonly profiles: number;
  readonly content: number;
  readonly documents: number;
  /** Links of other creators to this one. */
  readonly links: number;
}

/**
 * Removes a creator for good. Later lines about them are rejected from the first transaction on; content goes in several,
 * so that other writers get in. An interrupted command is run again.
 */
export async function forget(
  database: Database,
  platform: Platform,
  profileId: string,
  now: number,
): Promise<Forgotten> {
  const code = platformCode(platform);
  const profiles = await database.write(async (writer) => {
    await writer.lockData();
    const key = ['platform', 'profile_id'];
    await writer.upsert('forgotten_profiles', [...key, 'forgotten_at'], key, [[code, profileId, now]]);
    return writer.run('DELETE FROM profiles WHERE platform = ? AND id = ?', [code, profileId]);
  });
  let content = 0;
  for (let removed = CHUNK; removed === CHUNK; content += removed) {
    removed = await database.write((writer) => removeContent(writer, code, profileId));
  }
  return database.write(async (writer) => {
    await writer.lockData();
    const links = await removeLinksTo(writer, code, profileId);
    let documents = 0;
    for (const table of ['creator_analyses', 'audience_analyses', 'social_links', 'emails']) {
      documents += await writer.run(`DELETE FROM ${table} WHERE platform = ? AND profile_id = ?`, [code, profileId]);
    }
    await writer.run('DELETE FROM social_link_targets WHERE platform = ? AND profile_id = ?', [code, profileId]);
    return { profiles, content, documents, links };
  });
}

/** Lets a creator be loaded again. @returns false if they were not forgotten */
export async function undoForget(database: Database, platform: Platform, profileId: string): Promise<boolean> {
  const sql = 'DELETE FROM forgotten_profiles WHERE platform = ? AND profile_id = ?';
  return database.write(async (writer) => {
    await writer.lockData();
    return (await writer.run(sql, [platformCode(platform), profileId])) > 0;
  });
}

/** Removes up to `CHUNK` items. @returns how many */
async function removeContent(writer: Writer, platform: number, profileId: string): Promise<number> {
  await writer.lockData();
  const rows = await writer.all(
    `SELECT content_id, document FROM content WHERE platform = ? AND profile_id = ? LIMIT ${CHUNK}`,
    [platform, profileId],
  );
  const links = rows.flatMap((row) => linkKeys(String(row[1])));
  const ids = rows.map(([id]) => [platform, id ?? null]);
  await writer.remove('game_content', LINK_KEY, links);
  await writer.remove('content', ['platform', 'content_id'], ids);
  return rows.length;
}

async function removeLinksTo(writer: Writer, platform: number, profileId: string): Promise<number> {
  const owners = await writer.all(
    'SELECT platform, profile_id FROM social_link_targets WHERE target_platform = ? AND target_id = ?',
    [platform, profileId],
  );
  for (const owner of owners) {
    const [row] = await writer.all('SELECT document FROM social_links WHERE platform = ? AND profile_id = ?', owner);
    const links = JSON.parse(String(row?.[0] ?? '[]')) as SocialLink[];
    const others = links.filter((link) => link.id !== profileId || link.platform_id !== platformOf(platform));
    await writer.run('UPDATE social_links SET document = ? WHERE platform = ? AND profile_id = ?', [
      JSON.stringify(others),
      ...owner,
    ]);
  }
  await writer.run('DELETE FROM social_link_targets WHERE target_platform = ? AND target_id = ?', [
    platform,
    profileId,
  ]);
  return owners.length;
}
