// @ts-check
/**
 * Server B, the one to beat: node:http, prepared statements and JSON.stringify, as a good engineer writes it in an
 * afternoon. It has no keys, limits, usage records or ETags, and hardly any validation. Its paths and envelopes are those of
 * the service, so that both get the same requests.
 *
 * `--documents` is the fastest variant: it batches the look-ups of one turn of the event loop into one query, and stores
 * records as the JSON that it returns.
 */
import http from 'node:http';
import { parseArgs } from 'node:util';
import mysql from 'mysql2';
import { columnQueries } from './b.columns.mjs';
import { documentQueries } from './b.documents.mjs';
import { databaseUrl } from '../mariadb.mjs';
import { DATABASE } from '../tables.mjs';

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '4001' },
    database: { type: 'string', default: DATABASE },
    documents: { type: 'boolean' },
  },
});

// The default of mysql2. From 4 to 12 connections, throughput was the same within the noise.
const pool = mysql.createPool({ uri: databaseUrl(values.database), connectionLimit: 10, timezone: 'Z' });

/**
 * @typedef {{
 *   profile(platform: string, id: string): Promise<Answer | null>
 *   profiles(platform: string, ids: string[]): Promise<Answer>
 *   profileList(platform: string, limit: number, from: [string, string]): Promise<Answer>
 *   content(platform: string, id: string): Promise<Answer | null>
 *   contentList(platform: string, limit: number, from: [string, string]): Promise<Answer>
 *   gameContent(platform: string, game: string, limit: number, from: [string, string]): Promise<Answer>
 * }} Queries
 * @typedef {string | Buffer} Answer the whole body
 */

/** @type {Queries} */
const queries = values.documents ? documentQueries(pool) : columnQueries(pool);

/** Returns where a page starts: after the cursor, otherwise at the newest item, of `end_date` if given. */
function startOf(/** @type {URLSearchParams} */ query) {
  const cursor = query.get('cursor');
  if (cursor) return /** @type {[string, string]} */ (JSON.parse(Buffer.from(cursor, 'base64url').toString()));
  const day = query.get('end_date');
  return /** @type {[string, string]} */ ([day ? `${day} 23:59:59.999` : '9999-12-31 00:00:00.000', '~']);
}

/** @returns {Promise<Answer | null>} */
async function answer(/** @type {http.IncomingMessage} */ request) {
  const [path = '', search] = (request.url ?? '').split('?');
  const [, , platform = '', kind, id, sub] = path.split('/');
  if (request.method === 'POST') {
    const { profile_ids } = JSON.parse(await bodyOf(request));
    return queries.profiles(platform, [...new Set(/** @type {string[]} */ (profile_ids))]);
  }
  if (kind === 'profiles' && id) return queries.profile(platform, id);
  if (kind === 'content' && id) return queries.content(platform, id);
  const query = new URLSearchParams(search);
  const limit = (/** @type {number} */ normal) => Number(query.get('limit') ?? normal);
  if (kind === 'profiles') return queries.profileList(platform, limit(10), startOf(query));
  if (kind === 'content') return queries.contentList(platform, limit(10), startOf(query));
  if (kind === 'games' && id && sub === 'content') return queries.gameContent(platform, id, limit(20), startOf(query));
  return null;
}

/** @returns {Promise<string>} */
function bodyOf(/** @type {http.IncomingMessage} */ request) {
  return new Promise((resolve, reject) => {
    let text = '';
    request.setEncoding('utf8');
    request.on('data', (piece) => (text += piece));
    request.on('end', () => resolve(text));
    request.on('error', reject);
  });
}

const NOT_FOUND = JSON.stringify({ error: { status: 404, message: 'Not found' } });

function send(/** @type {http.ServerResponse} */ response, /** @type {number} */ status, /** @type {Answer} */ body) {
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
  });
  response.end(body);
}

http
  .createServer((request, response) => {
    answer(request).then(
      (body) => (body === null ? send(response, 404, NOT_FOUND) : send(response, 200, body)),
      (error) => send(response, 500, JSON.stringify({ error: { status: 500, message: String(error) } })),
    );
  })
  .listen(Number(values.port), '127.0.0.1');
