import type { Platform } from '../../model/platforms.js';

/** Sources that `collect` asks. */
export const COLLECT_SOURCES = ['twitch', 'youtube', 'bluesky', 'igdb'] as const;

export type CollectSource = (typeof COLLECT_SOURCES)[number];

/** Sources that are asked about creators. */
export type CreatorSource = Exclude<CollectSource, 'igdb'>;

/** Codes of the sources in the database. Stored rows contain them, so they never change. */
const CODES: Readonly<Record<CollectSource, number>> = { twitch: 1, youtube: 2, bluesky: 3, igdb: 4 };

export const sourceCode = (source: CollectSource): number => CODES[source];

/** Platforms whose creators are collected, with the official API that is asked. */
export const SOURCE_PLATFORMS: Readonly<Record<CreatorSource, Platform>> = {
  twitch: 'live_platform',
  youtube: 'video_platform',
  bluesky: 'microblog_platform',
};

export const CREATOR_SOURCES = Object.keys(SOURCE_PLATFORMS) as readonly CreatorSource[];

/** Returns the source that is asked about creators of a platform; undefined if there is none. */
export const sourceOf = (platform: string): CreatorSource | undefined =>
  CREATOR_SOURCES.find((source) => SOURCE_PLATFORMS[source] === platform);
