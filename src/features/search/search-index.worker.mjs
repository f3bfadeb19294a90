// @ts-check
// Worker thread that writes the index. Plain JavaScript, so that builds and tests load the same file without compiling it.
import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { readManifest, removeManifest, removeUnnamed, writeManifest } from './segments/index-folder.mjs';
import { PlatformSegments } from './segments/platform-segments.mjs';

/** Creators of one platform. Their documents are in `bytes`, one after another.
 * @typedef {object} CreatorPage
 * @property {string} platform
 * @property {Uint8Array} bytes
 * @property {readonly CreatorRow[]} rows */

/** @typedef {object} CreatorRow
 * @property {number} profileBytes length of the profile's document
 * @property {number} analysisBytes length of the analysis; 0 for none
 * @property {number} followers stored sort value
 * @property {number} lastActive likewise
 * @property {readonly string[]} has
 * @property {readonly string[]} gameIds */

/** Order to the thread. Each is answered by a message, in order.
 * @typedef {{ readonly type: 'open', readonly folder: string, readonly verifies: boolean }
 *   | { readonly type: 'clear' }
 *   | { readonly type: 'add', readonly page: CreatorPage }
 *   | { readonly type: 'remove', readonly platform: string, readonly ids: readonly string[] }
 *   | { readonly type: 'publish', readonly state: import('./segments/index-folder.mjs').IndexState, readonly startedAt: number | null }} Order */

/** Priority of this thread, which requests do not wait for: 0 is that of the others, 19 the lowest. */
const PRIORITY = 5;

// Other systems would change the whole process.
if (process.platform === 'linux') setPriority(PRIORITY);

let folder = '';
/** @type {Map<string, PlatformSegments>} */
const platforms = new Map();

/** @param {string} platform */
function segmentsOf(platform) {
  let segments = platforms.get(platform);
  if (segments === undefined) platforms.set(platform, (segments = new PlatformSegments(folder, platform, [], false)));
  return segments;
}

/** Opens the index of the folder, and deletes a damaged one. @param {string} path @param {boolean} verifies whether to compare
 * checksums @returns the manifest; null if there is no undamaged index */
function open(path, verifies) {
  folder = path;
  const manifest = readManifest(folder);
  removeUnnamed(folder, manifest);
  try {
    for (const [platform, entries] of Object.entries(manifest?.platforms ?? {})) {
      platforms.set(platform, new PlatformSegments(folder, platform, entries, verifies));
    }
  } catch {
    clear();
    removeManifest(folder);
    return null;
  }
  return manifest;
}

function clear() {
  for (const segments of platforms.values()) segments.close();
  platforms.clear();
}

/** @param {CreatorPage} page */
function add({ platform, bytes, rows }) {
  const segments = segmentsOf(platform);
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  let at = 0;
  const read = (/** @type {number} */ length) =>
    length === 0 ? null : /** @type {unknown} */ (JSON.parse(text.toString('utf8', at, (at += length))));
  for (const { profileBytes, analysisBytes, followers, lastActive, has, gameIds } of rows) {
    const profile = /** @type {import('./segments/terms.mjs').CreatorRecord['profile']} */ (read(profileBytes));
    const analysis = /** @type {import('./segments/terms.mjs').CreatorRecord['analysis']} */ (read(analysisBytes));
    segments.add({ profile, analysis, has, gameIds }, followers, lastActive);
  }
}

/** Writes what was added and removed. @param {import('./segments/index-folder.mjs').IndexState} state
 * @param {number | null} startedAt start of a complete build, whose segments are merged into one; null after changes */
function publish(state, startedAt) {
  /** @type {Record<string, import('./segments/index-folder.mjs').SegmentEntry[]>} */
  const entries = {};
  for (const [platform, segments] of platforms) {
    segments.flush();
    segments.merge(startedAt !== null);
    entries[platform] = segments.save();
  }
  const builtAt = Date.now();
  const built = startedAt === null ? {} : { builtAt, buildSeconds: (builtAt - startedAt) / 1000 };
  return writeManifest(folder, { ...state, ...built }, entries);
}

/** @param {Order} order @returns {unknown} */
function run(order) {
  switch (order.type) {
    case 'open':
      return open(order.folder, order.verifies);
    case 'clear':
      return clear();
    case 'add':
      return add(order.page);
    case 'remove':
      return segmentsOf(order.platform).remove(order.ids.map((id) => Buffer.from(id)));
    case 'publish':
      return publish(order.state, order.startedAt);
  }
}

parentPort?.on('message', (/** @type {Order} */ order) => {
  try {
    parentPort?.postMessage({ result: run(order) });
  } catch (error) {
    const { message, code = '' } = /** @type {NodeJS.ErrnoException} */ (error);
    parentPort?.postMessage({ error: { message, code } });
  }
});
