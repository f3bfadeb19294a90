/** The platforms a creator or an item can belong to, in the order they are listed to users. */
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

/** Whether a value from outside (a path parameter, an argument) names a platform, in exactly this spelling. */
export function isPlatform(value: string): value is Platform {
  return (PLATFORMS as readonly string[]).includes(value);
}

/** The code of a platform in the database: one byte in every key. Stored rows depend on it, so codes never change. */
export function platformCode(platform: Platform): number {
  return CODES[platform];
}

/** The platform a stored number stands for. An unknown number means a damaged or newer database, hence an error. */
export function platformOf(code: number): Platform {
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
