import type { SocialLink } from '../analysis/social-link.js';
import type { Database, Writer } from '../database/database.js';
import { platformCode, platformOf, type Platform } from '../platforms/platforms.js';
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

/** Removes a creator for good, all at once, and has later lines about them rejected. */
export function forget(database: Database, platform: Platform, profileId: string, now: number): Promise<Forgotten> {
  const code = platformCode(platform);
  return database.write(async (writer) => {
    await writer.lockData();
    await writer.upsert(
      'forgotten_profiles',
      ['platform', 'profile_id', 'forgotten_at'],
      ['platform', 'profile_id'],
      [[code, profileId, now]],
    );
    const content = await removeContent(writer, code, profileId);
    const links = await removeLinksTo(writer, code, profileId);
    let documents = 0;
    for (const table of ['creator_analyses', 'audience_analyses', 'social_links', 'emails']) {
      documents += await writer.run(`DELETE FROM ${table} WHERE platform = ? AND profile_id = ?`, [code, profileId]);
    }
    await writer.run('DELETE FROM social_link_targets WHERE platform = ? AND profile_id = ?', [code, profileId]);
    const profiles = await writer.run('DELETE FROM profiles WHERE platform = ? AND id = ?', [code, profileId]);
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

async function removeContent(writer: Writer, platform: number, profileId: string): Promise<number> {
  let removed = 0;
  for (;;) {
    const rows = await writer.all(
      `SELECT content_id, document FROM content WHERE platform = ? AND profile_id = ? LIMIT ${CHUNK}`,
      [platform, profileId],
    );
    if (rows.length === 0) return removed;
    await writer.remove(
      'game_content',
      LINK_KEY,
      rows.flatMap((row) => linkKeys(String(row[1]))),
    );
    await writer.remove(
      'content',
      ['platform', 'content_id'],
      rows.map(([id]) => [platform, id ?? null]),
    );
    removed += rows.length;
  }
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
