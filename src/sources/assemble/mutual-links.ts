import type { SocialLink, SocialsLine } from '../../features/analysis/social-link.js';
import { platformCode, platformFromCode, type Platform } from '../../model/platforms.js';
import type { FragmentStore } from './fragment-store.js';
import type { DraftRecord } from './drafts.js';

/** A profile, identified by the ID or handle in the URL of its page. */
type LinkTarget = { readonly platform: Platform } & ({ readonly id: string } | { readonly handle: string });

/** URLs of profile pages. The group that matches is the handle, or the ID of a YouTube channel. */
const PAGES: readonly { readonly platform: Platform; readonly page: RegExp }[] = [
  { platform: 'live_platform', page: /^twitch\.tv\/(\w{2,25})\/?$/i },
  {
    platform: 'video_platform',
    page: /^youtube\.com\/(?:@([^/]+)|c\/([^/]+)|user\/([^/]+)|channel\/(UC[\w-]{22}))(?:\/\w*)?\/?$/i,
  },
  { platform: 'photo_platform', page: /^instagram\.com\/([\w.]{1,30})\/?$/i },
  { platform: 'short_platform', page: /^tiktok\.com\/@([\w.]{1,30})\/?$/i },
  { platform: 'microblog_platform', page: /^(?:x|twitter)\.com\/@?(\w{1,15})\/?$/i },
];

/** Parses the URL of a profile page; null for other URLs. */
export function parseProfileUrl(address: string): LinkTarget | null {
  const withScheme = /^https?:\/\//i.test(address) ? address : `https://${address}`;
  if (!URL.canParse(withScheme)) return null;
  const { hostname, pathname } = new URL(withScheme);
  const site = `${hostname.replace(/^(?:www|m|mobile)\./, '')}${decodePath(pathname)}`;
  for (const { platform, page } of PAGES) {
    const found = page.exec(site);
    if (found === null) continue;
    const text = found.slice(1).find((group) => group !== undefined) ?? '';
    return platform === 'video_platform' && /^UC[\w-]{22}$/.test(text) && !site.includes('@')
      ? { platform, id: text }
      : { platform, handle: text };
  }
  return null;
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

interface LinkRow {
  readonly platform: number;
  readonly id: string;
  readonly url: string;
}

/** Yields the mutual links of each creator, sorted by platform and ID. Call it after the profiles were assembled. */
export function* findMutualLinks(store: FragmentStore): Generator<DraftRecord<SocialsLine>> {
  store.database.exec(`
    CREATE TABLE resolved (platform INT, id TEXT, target INT, target_id TEXT, PRIMARY KEY (platform, id, target, target_id)) WITHOUT ROWID;
  `);
  for (const { platform, id, url } of store.rows<LinkRow>('SELECT platform, id, url FROM links')) {
    const target = parseProfileUrl(url);
    if (target === null) continue;
    const targetId = 'id' in target ? target.id : store.findIdByHandle(target.platform, target.handle);
    if (targetId === null || (target.platform === platformFromCode(platform) && targetId === id)) continue;
    store.run(
      'INSERT OR IGNORE INTO resolved VALUES (?, ?, ?, ?)',
      platform,
      id,
      platformCode(target.platform),
      targetId,
    );
  }
  const mutual = `
    SELECT a.platform, a.id, a.target, a.target_id, known.name, known.followers FROM resolved a
    JOIN resolved b ON b.platform = a.target AND b.id = a.target_id AND b.target = a.platform AND b.target_id = a.id
    JOIN known_profiles known ON known.platform = a.target AND known.id = a.target_id
    JOIN known_profiles own ON own.platform = a.platform AND own.id = a.id
    ORDER BY a.platform, a.id, a.target, a.target_id`;
  let line: { platform_id: Platform; profile_id: string; links: DraftRecord<SocialLink>[] } | null = null;
  for (const { platform, id, target, target_id, name, followers } of store.rows<MutualRow>(mutual)) {
    if (line === null || line.profile_id !== id || platformCode(line.platform_id) !== platform) {
      if (line !== null) yield line;
      line = { platform_id: platformFromCode(platform), profile_id: id, links: [] };
    }
    line.links.push({ id: target_id, name, platform_id: platformFromCode(target), followers });
  }
  if (line !== null) yield line;
}

interface MutualRow extends Omit<LinkRow, 'url'> {
  readonly target: number;
  readonly target_id: string;
  readonly name: string | null;
  readonly followers: number | null;
}
