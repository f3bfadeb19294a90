// @ts-check
/** B's queries over tables with a column per field. Rows are mapped to objects, and objects to JSON. */

/**
 * @import { Pool } from 'mysql2'
 * @import { Queries } from './b.mjs'
 */

/**
 * Condition for the rows after a position. Its form, and the named index, make the optimiser read a range: otherwise it
 * may read the index from its end down to the position.
 */
const AFTER = (/** @type {string} */ time, /** @type {string} */ id) =>
  `${time} <= ? AND (${time} < ? OR ${id} < ?) ORDER BY ${time} DESC, ${id} DESC LIMIT ?`;

const ONE_PROFILE = 'SELECT * FROM bench_profiles WHERE platform = ? AND id = ?';
const PROFILES_AFTER = `SELECT * FROM bench_profiles FORCE INDEX (by_update) WHERE platform = ? AND ${AFTER('updated_at', 'id')}`;
const ONE_ITEM = 'SELECT * FROM bench_content WHERE platform = ? AND content_id = ?';
const CONTENT_AFTER = `SELECT * FROM bench_content FORCE INDEX (PRIMARY) WHERE platform = ? AND ${AFTER('created_at', 'content_id')}`;
const GAME_CONTENT_AFTER = `SELECT STRAIGHT_JOIN c.* FROM bench_game_content g FORCE INDEX (PRIMARY)
  JOIN bench_content c ON c.platform = g.platform AND c.created_at = g.created_at AND c.content_id = g.content_id
  WHERE g.platform = ? AND g.game_id = ? AND ${AFTER('g.created_at', 'g.content_id')}`;

/** @returns {Queries} */
export function columnQueries(/** @type {Pool} */ pool) {
  /** @returns {Promise<any[]>} */
  const rows = (/** @type {string} */ sql, /** @type {unknown[]} */ values) =>
    new Promise((resolve, reject) => {
      // The callback API, because the promise API costs another promise and a stack trace per query.
      pool.execute(sql, /** @type {any} */ (values), (error, found) =>
        error ? reject(error) : resolve(/** @type {any} */ (found)),
      );
    });

  return {
    profile: async (platform, id) => {
      const [row] = await rows(ONE_PROFILE, [platform, id]);
      return row ? JSON.stringify({ payload: profile(row), meta: meta() }) : null;
    },
    profiles: async (platform, ids) => {
      const found = await rows(manyProfiles(ids.length), [platform, ...ids]);
      const byId = new Map(found.map((row) => [row.id, row]));
      const payload = [];
      const missing_ids = [];
      for (const id of ids) {
        const row = byId.get(id);
        if (row) payload.push(profile(row));
        else missing_ids.push(id);
      }
      return JSON.stringify({ payload, meta: { missing_ids, ...meta() } });
    },
    profileList: async (platform, limit, [time, id]) => {
      const found = await rows(PROFILES_AFTER, [platform, time, time, id, limit + 1]);
      return page(found, limit, profile, (row) => [row.updated_at, row.id]);
    },
    content: async (platform, id) => {
      const [row] = await rows(ONE_ITEM, [platform, id]);
      return row ? JSON.stringify({ payload: item(row), meta: meta() }) : null;
    },
    contentList: async (platform, limit, [time, id]) => {
      const found = await rows(CONTENT_AFTER, [platform, time, time, id, limit + 1]);
      return page(found, limit, item, (row) => [row.created_at, row.content_id]);
    },
    gameContent: async (platform, game, limit, [time, id]) => {
      const found = await rows(GAME_CONTENT_AFTER, [platform, game, time, time, id, limit + 1]);
      return page(found, limit, item, (row) => [row.created_at, row.content_id], true);
    },
  };
}

/** @type {string[]} */
const statements = [];
const manyProfiles = (/** @type {number} */ count) =>
  (statements[count] ??=
    `SELECT * FROM bench_profiles WHERE platform = ? AND id IN (${Array(count).fill('?').join()})`);

const meta = () => ({ received_at: new Date().toISOString() });

/**
 * @param {any[]} rows the page, and one more row if there is a next page
 * @param {number} limit @param {(row: any) => object} map @param {(row: any) => [Date, string]} position
 */
function page(rows, limit, map, position, tellsMore = false) {
  const has_more = rows.length > limit;
  if (has_more) rows.length = limit;
  const next_cursor = has_more ? cursorAt(position(rows[limit - 1])) : null;
  const paging = tellsMore ? { limit, next_cursor, has_more } : { limit, next_cursor };
  return JSON.stringify({ payload: rows.map(map), paging, meta: meta() });
}

const cursorAt = (/** @type {[Date, string]} */ [time, id]) =>
  Buffer.from(JSON.stringify([time.toISOString().slice(0, 23).replace('T', ' '), id])).toString('base64url');

/** Maps a row to the API's profile. JSON.stringify formats the dates. */
const profile = (/** @type {any} */ row) => ({
  platform_id: row.platform,
  id: row.id,
  name: row.name,
  display_name: row.display_name,
  url: row.url,
  description: row.description,
  profile_image: row.profile_image,
  banner_image: row.banner_image,
  language: row.language,
  statistics: { followers: row.followers, views_estimated: row.views_estimated },
  account_type: row.account_type,
  is_mature: row.is_mature === 1,
  updated_at: row.updated_at,
  last_active_at: row.last_active_at,
});

/** Maps a row to the API's content item. */
const item = (/** @type {any} */ row) => ({
  content_id: row.content_id,
  platform: row.platform,
  type: row.type,
  title: row.title,
  description: row.description,
  created_at: row.created_at,
  ended_at: row.ended_at,
  duration: row.duration,
  url: row.url,
  categories: row.categories,
  tags: row.tags,
  statistics: row.type === 'stream' ? streamStatistics(row) : videoStatistics(row),
  chapters: row.chapters,
  profile_id: row.profile_id,
});

const streamStatistics = (/** @type {any} */ row) => ({
  viewers: { avg: row.viewers_avg, max: row.viewers_max },
  watched_minutes: { sum: row.watched_minutes_sum },
  airtime_minutes: { sum: row.airtime_minutes_sum },
});

const videoStatistics = (/** @type {any} */ row) => ({
  views: { sum: row.views_sum },
  likes: { sum: row.likes_sum },
  comments: { sum: row.comments_sum, avg: row.comments_avg },
});
