/** Platforms in the order in which messages and documents list them. */
export const PLATFORMS = [
  'live_platform',
  'video_platform',
  'photo_platform',
  'short_platform',
  'microblog_platform',
] as const;

export type Platform = (typeof PLATFORMS)[number];

export const GAME_PLATFORMS = ['live_platform', 'video_platform'] as const satisfies readonly Platform[];

export type GamePlatform = (typeof GAME_PLATFORMS)[number];

/** Where data of a platform usually comes from, for people. */
export const PLATFORM_ORIGINS: Readonly<Record<Platform, string>> = {
  live_platform: 'Twitch',
  video_platform: 'YouTube',
  photo_platform: 'Instagram',
  short_platform: 'TikTok',
  microblog_platform: 'Bluesky, X',
};

/** Reports whether a path parameter or an argument is the exact name of a platform. */
export function isPlatform(value: string): value is Platform {
  return (PLATFORMS as readonly string[]).includes(value);
}

/** Returns the code of a platform in the database: one byte, as it is in every key. Stored rows contain it, so codes never
 * change. */
export function platformCode(platform: Platform): number {
  return CODES[platform];
}

/** Returns the platform of a stored code. @throws Error for an unknown code: the database is damaged or newer */
export function platformFromCode(code: number): Platform {
  const platform = PLATFORMS.find((candidate) => CODES[candidate] === code);
  if (platform === undefined) throw new Error(`No platform has the code ${code}`);
  return platform;
}

const CODES: Readonly<Record<Platform, number>> = {
  live_platform: 1,
  video_platform: 2,
  photo_platform: 3,
  short_platform: 4,
  microblog_platform: 5,
};
