// @ts-check
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MAGIC } from './segment-file.mjs';

/** Segment of a platform in the manifest.
 * @typedef {object} SegmentEntry
 * @property {string} name file of the segment
 * @property {number} count profiles, with those that are dead
 * @property {string | null} dead file with the bitmap of the profiles that were replaced or deleted since; null for none
 * @property {number} deadCount */

/** State of the store that the index holds.
 * @typedef {object} IndexState
 * @property {string} store identifier of the store
 * @property {number} mark changes when the store is restored from a back-up
 * @property {Readonly<Record<string, number>>} revisions by kind
 * @property {number} buildSeconds duration of the last complete build
 * @property {number} builtAt its end, in milliseconds since 1970
 * @property {boolean} hasDeleted whether creators or content were deleted since, of which the index keeps words, IDs and games */

/** Contents of the index: what `manifest.json` has.
 * @typedef {IndexState & { readonly format: string, readonly platforms: Readonly<Record<string, readonly SegmentEntry[]>> }} Manifest */

const MANIFEST = 'manifest.json';

/** @param {string} folder */
export const manifestPath = (folder) => join(folder, MANIFEST);

/** Reads the manifest. @param {string} folder @returns {Manifest | null} null if it is missing, damaged or of another version */
export function readManifest(folder) {
  let text;
  try {
    text = readFileSync(manifestPath(folder), 'utf8');
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'ENOENT') return null;
    throw error;
  }
  try {
    const manifest = /** @type {Manifest} */ (JSON.parse(text));
    return manifest.format === MAGIC && isComplete(manifest) ? manifest : null;
  } catch {
    return null; // a rebuild replaces it
  }
}

/** @param {Partial<Manifest>} manifest */
const isComplete = ({ store, mark, revisions, platforms }) =>
  typeof store === 'string' &&
  typeof mark === 'number' &&
  isObject(revisions) &&
  isObject(platforms) &&
  Object.values(/** @type {object} */ (platforms)).every((entries) => Array.isArray(entries) && entries.every(isEntry));

/** @param {Partial<SegmentEntry> | null} entry */
const isEntry = (entry) =>
  typeof entry?.name === 'string' &&
  typeof entry.count === 'number' &&
  typeof entry.deadCount === 'number' &&
  (entry.dead === null || typeof entry.dead === 'string');

const isObject = (/** @type {unknown} */ value) => typeof value === 'object' && value !== null;

/** Replaces the manifest, and removes the files that it does not name. Readers that have them open keep them.
 * @param {string} folder @param {IndexState} state @param {Manifest['platforms']} platforms @returns {Manifest} */
export function writeManifest(folder, state, platforms) {
  const manifest = { ...state, format: MAGIC, platforms };
  const temporary = join(folder, `${MANIFEST}.new`);
  writeFileSync(temporary, JSON.stringify(manifest), { flush: true });
  renameSync(temporary, manifestPath(folder));
  removeUnnamed(folder, manifest);
  return manifest;
}

/** @param {string} folder @param {Manifest | null} manifest */
export function removeUnnamed(folder, manifest) {
  const entries = manifest === null ? [] : Object.values(manifest.platforms).flat();
  const named = new Set(entries.flatMap(({ name, dead }) => [name, dead]));
  for (const name of readdirSync(folder)) {
    if (/\.(?:segment|dead)$/.test(name) && !named.has(name)) rmSync(join(folder, name), { force: true });
  }
}

/** @param {string} folder */
export const removeManifest = (folder) => rmSync(manifestPath(folder), { force: true });
