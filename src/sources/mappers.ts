import { bluesky } from './bluesky/bluesky.js';
import type { Mapper } from './fragment.js';
import { igdb } from './igdb/igdb.js';
import { instagram } from './instagram/instagram.js';
import { instaloader } from './instaloader/instaloader.js';
import { tiktokScraper } from './tiktok-scraper/tiktok-scraper.js';
import { tiktok } from './tiktok/tiktok.js';
import { twitch } from './twitch/twitch.js';
import { twscrape } from './twscrape/twscrape.js';
import { x } from './x/x.js';
import { youtubeTrending } from './youtube-trending/youtube-trending.js';
import { youtube } from './youtube/youtube.js';
import { ytDlp } from './yt-dlp/yt-dlp.js';

/** Mappers of all sources: the platforms' own APIs, then the files of tools. No two of them recognise the same document. */
export const MAPPERS: readonly Mapper[] = [
  twitch,
  youtube,
  igdb,
  instagram,
  tiktok,
  x,
  ytDlp,
  instaloader,
  tiktokScraper,
  twscrape,
  youtubeTrending,
  bluesky,
];
