import { BLUESKY } from './bluesky.js';
import type { CollectPlatform } from './collect-platform.js';
import type { CreatorSource } from './collect-source.js';
import { TWITCH } from './twitch.js';
import { YOUTUBE } from './youtube.js';

/** How each source of creators is asked. */
export const COLLECT_PLATFORMS: Readonly<Record<CreatorSource, CollectPlatform>> = {
  twitch: TWITCH,
  youtube: YOUTUBE,
  bluesky: BLUESKY,
};
