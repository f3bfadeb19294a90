// @ts-check
/**
 * Generates records for benchmarks, in the shapes that the API returns.
 *
 * A record depends on its number only: content(7) is the same on every machine and in every run. So servers are compared
 * on the same data, loading can resume anywhere, and responses can be checked. Sizes and skew are realistic: a few
 * creators and games have most of the content.
 *
 *   node bench/data.mjs profiles|content|games COUNT [--from N] [--profiles N]  > file.ndjson
 */
import { once } from 'node:events';
import { pathToFileURL } from 'node:url';
import { idOf, pick, random, seedOf, sentence, skewed, upTo } from './randomness.mjs';
import { NOUNS, PLACES, SENTENCE_WORDS, SURPRISES } from './words.mjs';

/** @import { Random } from './randomness.mjs' */

/** Change it when the records change, so that databases with old records are loaded again. */
export const DATA_VERSION = 1;

/** A single platform, so that its lists are long enough for page 50,000. */
export const PLATFORM = 'live_platform';

/** Number of games that content refers to; the catalogue may be larger. */
export const REFERENCED_GAMES = 2_000;

const DAY_MS = 86_400_000;
export const FIRST_DAY_MS = Date.UTC(2023, 0, 1);
export const DAYS = 3 * 365;

const instant = (/** @type {number} */ ms) => new Date(ms).toISOString();
const someTime = (/** @type {Random} */ next) => FIRST_DAY_MS + upTo(next, DAYS * 86_400) * 1000;

/** Returns the date after which the given share of the content was created: 0 is the newest, 1 the oldest. Loads use it to
 * jump deep into a list. */
export const dayAt = (/** @type {number} */ share) =>
  instant(FIRST_DAY_MS + Math.floor(DAYS * (1 - share)) * DAY_MS).slice(0, 10);

/** Generates profile number `index`, of about 700 bytes. */
export function profile(/** @type {number} */ index) {
  const next = random(seedOf(1, index));
  const id = idOf(index);
  const name = `${pick(next, NOUNS).toLowerCase()}_${index.toString(36)}`;
  const updated = someTime(next);
  return {
    platform_id: PLATFORM,
    id,
    name,
    display_name: `${pick(next, NOUNS)} ${pick(next, next() < 0.1 ? SURPRISES : PLACES)}`,
    url: `https://live.example/${name}`,
    description: sentence(next, 20 + upTo(next, 12)),
    profile_image: `https://images.example/profiles/${id}/${upTo(next, 1e9).toString(16)}-300x300.png`,
    banner_image: `https://images.example/banners/${id}/${upTo(next, 1e9).toString(16)}-1920x480.png`,
    language: pick(next, LANGUAGES),
    statistics: {
      followers: Math.floor(50 / (next() ** 2 + 1e-6)),
      views_estimated: Math.floor(1e4 / (next() + 1e-5)),
    },
    account_type: next() < 0.2 ? 'partner' : 'affiliate',
    is_mature: next() < 0.1,
    updated_at: instant(updated),
    last_active_at: instant(updated - upTo(next, 20 * 86_400) * 1000),
  };
}

/** Generates content item number `index`, of about 900 bytes. Its creator is one of the first `profiles`. */
export function content(/** @type {number} */ index, profiles = 1_000_000) {
  const next = random(seedOf(2, index));
  const id = idOf(index);
  const created = someTime(next);
  const duration = (600 + upTo(next, 36_000)) * 1000;
  const isStream = next() < 0.85;
  const first = skewed(next, REFERENCED_GAMES);
  const second = next() < 0.3 ? skewed(next, REFERENCED_GAMES) : first;
  const categories = (first === second ? [first] : [first, second]).map(category);
  const tags = [0, 1, 2].map((at) => tag(at * 100 + upTo(next, 100)));
  const created_at = instant(created);
  const ended_at = isStream ? instant(created + duration) : null;
  return {
    content_id: id,
    platform: PLATFORM,
    type: isStream ? 'stream' : 'video',
    title: sentence(next, 6 + upTo(next, 6)),
    description: isStream ? null : sentence(next, 20),
    created_at,
    ended_at,
    duration,
    url: `https://live.example/videos/${id}`,
    categories,
    tags,
    statistics: isStream ? streamStatistics(next, duration) : videoStatistics(next),
    chapters: isStream && next() < 0.1 ? [chapter(next, id, created_at, ended_at, duration, categories[0])] : [],
    profile_id: idOf(skewed(next, profiles)),
  };
}

function streamStatistics(/** @type {Random} */ next, /** @type {number} */ duration) {
  const viewers = Math.floor(5 / (next() ** 2 + 1e-5));
  const minutes = Math.floor(duration / 60_000);
  return {
    viewers: { avg: Math.round(viewers * 70) / 100, max: viewers },
    watched_minutes: { sum: Math.floor(viewers * 0.7 * minutes) },
    airtime_minutes: { sum: minutes },
  };
}

function videoStatistics(/** @type {Random} */ next) {
  const views = Math.floor(100 / (next() ** 2 + 1e-5));
  return { views: { sum: views }, likes: { sum: views >> 5 }, comments: { sum: views >> 8, avg: null } };
}

/**
 * @param {Random} next @param {string} id @param {string} created_at @param {string | null} ended_at
 * @param {number} duration @param {ReturnType<typeof category> | undefined} about one of the item's own categories
 */
function chapter(next, id, created_at, ended_at, duration, about) {
  const max = upTo(next, 5_000);
  return {
    id: `${id}-1`,
    title: sentence(next, 4),
    description: null,
    created_at,
    ended_at,
    duration,
    categories: about ? [about] : [],
    tags: [],
    statistics: { viewers: { avg: max / 2, max } },
  };
}

export const LANGUAGES = ['en', 'en', 'en', 'es', 'pt', 'de', 'fr', 'ja', 'ko', 'ru'];

/** @type {Map<number, ReturnType<typeof game>>} */
const referenced = new Map();

function category(/** @type {number} */ index) {
  let about = referenced.get(index);
  if (!about) referenced.set(index, (about = game(index)));
  return {
    id: about.live_platform_id,
    type: 'live_platform_game',
    name: about.name,
    gamedb_id: Number(about.id),
    gamedb_name: about.name,
    gamedb_slug: about.slug,
  };
}

const tag = (/** @type {number} */ index) => ({
  id: `${(index * 0x9e3779b1) >>> 0}-tag`,
  type: 'live_platform_tag',
  name: SENTENCE_WORDS[index % SENTENCE_WORDS.length],
});

/** Generates game number `index`. Number 0 is the most popular one. */
export function game(/** @type {number} */ index) {
  const next = random(seedOf(3, index));
  const id = String(1_000 + index);
  let name = next() < 0.2 ? 'The' : gameWord(next);
  for (let words = 1 + upTo(next, 3); words > 0; words--) name += ' ' + gameWord(next);
  if (next() < 0.1) name += `: ${pick(next, PLACES)}'s ${gameWord(next)}`;
  if (next() < 0.25) name += ` ${2 + upTo(next, 6)}`;
  return {
    id,
    name,
    slug: `${name.toLowerCase().replace(/[^a-z0-9]+/g, '-')}-${id}`,
    first_release_date: instant(Date.UTC(1985 + upTo(next, 40), upTo(next, 12), 1 + upTo(next, 28))),
    live_platform_id: String(30_000 + index),
    video_platform_id: `UC${String(index).padStart(22, 'x')}`,
    total_rating_count: Math.floor(60_000 / (index + 10)),
  };
}

const SYLLABLES = [
  'ka',
  'ro',
  'mi',
  'ten',
  'sha',
  'vol',
  'den',
  'qui',
  'bra',
  'zu',
  'lor',
  'ek',
  'fa',
  'nim',
  'gar',
  'os',
];

/** Picks a word of a name: half common, half invented, and skewed, because real catalogues have frequent and rare words. */
function gameWord(/** @type {Random} */ next) {
  if (next() < 0.5) return pick(next, NOUNS);
  let number = skewed(next, 30_000) + 16;
  let word = '';
  for (; number > 0; number >>= 4) word += SYLLABLES[number & 15];
  return /** @type {string} */ (word[0]).toUpperCase() + word.slice(1);
}

/** Returns the ID of game number `index`. */
export const gameId = (/** @type {number} */ index) => String(30_000 + index);
export { idOf as profileId, indexOf } from './randomness.mjs';

const MAKERS = { profiles: profile, content, games: game };
/** @typedef {keyof typeof MAKERS} Kind */

/**
 * Yields the lines of records `from` (inclusive) to `to` (exclusive), in pieces of a few hundred kilobytes: large enough
 * for fast writes, small enough for little memory.
 * @param {Kind} kind @param {number} from @param {number} to
 */
export function* lines(kind, from, to, profiles = 1_000_000) {
  const make = MAKERS[kind];
  for (let at = from; at < to;) {
    const end = Math.min(to, at + 500);
    let piece = '';
    for (; at < end; at++) piece += JSON.stringify(make(at, profiles)) + '\n';
    yield Buffer.from(piece);
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { parseArgs } = await import('node:util');
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { from: { type: 'string', default: '0' }, profiles: { type: 'string', default: '1000000' } },
  });
  const [kind, count] = positionals;
  if (!kind || !Object.hasOwn(MAKERS, kind) || !(Number(count) >= 0)) {
    process.stderr.write('usage: node bench/data.mjs profiles|content|games COUNT [--from N] [--profiles N]\n');
    process.exit(1);
  }
  const from = Number(values.from);
  process.stdout.on('error', () => process.exit(0)); // `| head` closed the pipe
  for (const piece of lines(/** @type {Kind} */ (kind), from, from + Number(count), Number(values.profiles))) {
    if (!process.stdout.write(piece)) await once(process.stdout, 'drain');
  }
}
