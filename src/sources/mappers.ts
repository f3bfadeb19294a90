import type { Mapper } from './fragment.js';
import { igdb } from './igdb/igdb.js';
import { instagram } from './instagram/instagram.js';
import { tiktokScraper } from './tiktok-scraper/tiktok-scraper.js';
import { tiktok } from './tiktok/tiktok.js';
import { twitch } from './twitch/twitch.js';
import { x } from './x/x.js';
import { ytDlp } from './yt-dlp/yt-dlp.js';
import { youtube } from './youtube/youtube.js';

/** The readers of all sources. */
export const MAPPERS: readonly Mapper[] = [twitch, youtube, igdb, instagram, tiktok, tiktokScraper, x, ytDlp];
