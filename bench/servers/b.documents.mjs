// @ts-check
/** Queries of B's `--documents` variant: batched look-ups, and stored documents passed through as bytes. */

/**
 * @import { Pool } from 'mysql2'
 * @import { Queries } from './b.mjs'
 */

const AFTER = (/** @type {string} */ time, /** @type {string} */ id) =>
  `${time} <= ? AND (${time} < ? OR ${id} < ?) ORDER BY ${time} DESC, ${id} DESC LIMIT ?`;
const PROFILES_AFTER = `SELECT id, updated_at AS time, document FROM bench_profile_documents FORCE INDEX (by_update)
  WHERE platform = ? AND ${AFTER('updated_at', 'id')}`;
const CONTENT_AFTER = `SELECT content_id AS id, created_at AS time, document FROM bench_content_documents FORCE INDEX (PRIMARY)
  WHERE platform = ? AND ${AFTER('created_at', 'content_id')}`;
const GAME_CONTENT_AFTER = `SELECT STRAIGHT_JOIN g.content_id AS id, g.created_at AS time, c.document FROM bench_game_content g FORCE INDEX (PRIMARY)
  JOIN bench_content_documents c ON c.platform = g.platform AND c.created_at = g.created_at AND c.content_id = g.content_id
  WHERE g.platform = ? AND g.game_id = ? AND ${AFTER('g.created_at', 'g.content_id')}`;

/** @returns {Queries} */
export function documentQueries(/** @type {Pool} */ pool) {
  /** @returns {Promise<any[]>} */
  const rows = (/** @type {string} */ sql, /** @type {unknown[]} */ values) =>
    new Promise((resolve, reject) => {
      pool.execute(sql, /** @type {any} */ (values), (error, found) =>
        error ? reject(error) : resolve(/** @type {any} */ (found)),
      );
    });
  const profile = collector(pool, 'bench_profile_documents', 'id');
  const item = collector(pool, 'bench_content_documents', 'content_id');

  return {
    profile: async (platform, id) => {
      const document = await profile(platform, id);
      return document && single(document);
    },
    profiles: async (platform, ids) => {
      const found = await Promise.all(ids.map((id) => profile(platform, id)));
      const missing = ids.filter((_, at) => !found[at]);
      const documents = found.filter((document) => document !== null);
      return joined(
        documents,
        `],"meta":{"missing_ids":${JSON.stringify(missing)},"received_at":"${new Date().toISOString()}"}}`,
      );
    },
    profileList: async (platform, limit, [time, id]) =>
      page(await rows(PROFILES_AFTER, [platform, time, time, id, limit + 1]), limit),
    content: async (platform, id) => {
      const document = await item(platform, id);
      return document && single(document);
    },
    contentList: async (platform, limit, [time, id]) =>
      page(await rows(CONTENT_AFTER, [platform, time, time, id, limit + 1]), limit),
    gameContent: async (platform, game, limit, [time, id]) =>
      page(await rows(GAME_CONTENT_AFTER, [platform, game, time, time, id, limit + 1]), limit, true),
  };
}

/**
 * Batches the look-ups of one turn of the event loop into one statement. Under load that is one round trip for dozens of
 * requests.
 * @param {Pool} pool @param {string} table @param {string} key
 */
function collector(pool, table, key) {
  /** @type {Map<string, Map<string, ((document: Buffer | null) => void)[]>>} by platform, then by ID */
  let waiting = new Map();

  function flush() {
    const now = waiting;
    waiting = new Map();
    for (const [platform, asked] of now) {
      const sql = `SELECT ${key} AS id, document FROM ${table} WHERE platform = ? AND ${key} IN (?)`;
      pool.query(sql, [platform, [...asked.keys()]], (error, found) => {
        for (const row of error ? [] : /** @type {any[]} */ (found)) {
          for (const resolve of asked.get(row.id) ?? []) resolve(row.document);
          asked.delete(row.id);
        }
        for (const resolves of asked.values()) for (const resolve of resolves) resolve(null);
      });
    }
  }

  /** @returns {Promise<Buffer | null>} */
  return (/** @type {string} */ platform, /** @type {string} */ id) =>
    new Promise((resolve) => {
      if (waiting.size === 0) setImmediate(flush);
      let asked = waiting.get(platform);
      if (!asked) waiting.set(platform, (asked = new Map()));
      const others = asked.get(id);
      if (others) others.push(resolve);
      else asked.set(id, [resolve]);
    });
}

const COMMA = Buffer.from(',');
const PAYLOAD = Buffer.from('{"payload":');
const PAYLOAD_LIST = Buffer.from('{"payload":[');

const single = (/** @type {Buffer} */ document) =>
  Buffer.concat([PAYLOAD, document, Buffer.from(`,"meta":{"received_at":"${new Date().toISOString()}"}}`)]);

function joined(/** @type {Buffer[]} */ documents, /** @type {string} */ end) {
  /** @type {Buffer[]} */
  const parts = [PAYLOAD_LIST];
  for (const document of documents) parts.push(document, COMMA);
  if (documents.length > 0) parts.pop();
  parts.push(Buffer.from(end));
  return Buffer.concat(parts);
}

function page(/** @type {any[]} */ rows, /** @type {number} */ limit, tellsMore = false) {
  const more = rows.length > limit;
  if (more) rows.length = limit;
  const last = rows[limit - 1];
  const cursor = more
    ? `"${Buffer.from(JSON.stringify([last.time.toISOString().slice(0, 23).replace('T', ' '), last.id])).toString('base64url')}"`
    : 'null';
  const paging = `"paging":{"limit":${limit},"next_cursor":${cursor}${tellsMore ? `,"has_more":${more}` : ''}}`;
  return joined(
    rows.map((row) => row.document),
    `],${paging},"meta":{"received_at":"${new Date().toISOString()}"}}`,
  );
}
