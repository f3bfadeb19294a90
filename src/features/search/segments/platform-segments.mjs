// @ts-check
import { join } from 'node:path';
import { readDead, writeDead } from './dead-file.mjs';
import { countBits, setBit } from './postings.mjs';
import { mergeSegments } from './merge-segments.mjs';
import { SegmentBuilder } from './segment-builder.mjs';
import { Segment } from './segment.mjs';

/** Profiles that are collected before they are written, which bounds the memory of a build. */
const FLUSH_AT = 131_072;

/** Segments of similar size that are merged into one. */
const MERGE_AT = 4;

/** A segment belongs to the next tier if it is so many times larger. */
const TIER_FACTOR = 8;
const SMALLEST_TIER = 1000;

/** Segment that the worker has open.
 * @typedef {object} OpenSegment
 * @property {string} name
 * @property {Segment} segment
 * @property {Uint32Array | null} dead
 * @property {string | null} deadFile file with `dead`; null if it must be written */

let lastNumber = 0;

/** Returns a file name that no other has, not even of an earlier process. @param {string} prefix @param {string} kind */
const newName = (prefix, kind) => `${prefix}-${Date.now().toString(36)}-${(lastNumber += 1).toString(36)}.${kind}`;

/** Segments of one platform, as the builder changes them. */
export class PlatformSegments {
  /** @type {OpenSegment[]} */
  #segments = [];
  #builder = new SegmentBuilder();
  #folder;
  #platform;

  /** @param {string} folder @param {string} platform @param {readonly import('./index-folder.mjs').SegmentEntry[]} entries
   * @param {boolean} verifies whether to compare checksums @throws Error if a file is missing or damaged */
  constructor(folder, platform, entries, verifies) {
    this.#folder = folder;
    this.#platform = platform;
    for (const { name, count, dead } of entries) {
      const segment = new Segment(join(folder, name));
      if (verifies) segment.verify();
      this.#segments.push({ name, segment, dead: readDead(folder, dead, count), deadFile: dead });
    }
  }

  get count() {
    return this.#segments.reduce((sum, { segment }) => sum + segment.count, 0);
  }

  /** Adds a creator, who is in no segment. @param {Parameters<SegmentBuilder['add']>} creator */
  add(...creator) {
    this.#builder.add(...creator);
    if (this.#builder.count >= FLUSH_AT) this.flush();
  }

  /** Marks creators as dead. @param {readonly Buffer[]} ids */
  remove(ids) {
    for (const open of this.#segments) {
      for (const id of ids) {
        const rank = open.segment.rankOf(id);
        if (rank === -1) continue;
        open.dead ??= new Uint32Array(Math.ceil(open.segment.count / 32));
        setBit(open.dead, rank);
        open.deadFile = null;
      }
    }
  }

  /** Writes the collected creators as a segment. */
  flush() {
    if (this.#builder.count === 0) return;
    const name = newName(this.#platform, 'segment');
    this.#builder.write(join(this.#folder, name));
    this.#builder = new SegmentBuilder();
    this.#segments.push(this.#open(name));
  }

  /** Merges segments of similar size, or all. @param {boolean} isComplete */
  merge(isComplete) {
    for (let found; (found = isComplete ? this.#allIfSeveral() : this.#findMergeable()) !== null;) {
      const inputs = found;
      const name = newName(this.#platform, 'segment');
      mergeSegments(join(this.#folder, name), inputs);
      for (const { segment } of inputs) segment.close();
      this.#segments = this.#segments.filter((open) => !inputs.includes(open));
      const merged = this.#open(name);
      if (merged.segment.count > 0) this.#segments.push(merged);
      else merged.segment.close();
    }
  }

  /** Writes the changed bitmaps. @returns {import('./index-folder.mjs').SegmentEntry[]} */
  save() {
    return this.#segments.map((open) => {
      if (open.dead !== null && open.deadFile === null) {
        open.deadFile = newName(this.#platform, 'dead');
        writeDead(join(this.#folder, open.deadFile), open.dead);
      }
      const deadCount = open.dead === null ? 0 : countBits(open.dead);
      return { name: open.name, count: open.segment.count, dead: open.deadFile, deadCount };
    });
  }

  close() {
    for (const { segment } of this.#segments) segment.close();
    this.#segments = [];
  }

  /** @param {string} name @returns {OpenSegment} */
  #open(name) {
    return { name, segment: new Segment(join(this.#folder, name)), dead: null, deadFile: null };
  }

  #allIfSeveral() {
    return this.#segments.length > 1 ? this.#segments : null;
  }

  /** Finds segments to merge: some of similar size, or one that is mostly dead. @returns {OpenSegment[] | null} */
  #findMergeable() {
    const wasted = this.#segments.find(({ segment, dead }) => dead !== null && countBits(dead) * 2 > segment.count);
    if (wasted !== undefined) return [wasted];
    /** @type {Map<number, OpenSegment[]>} */
    const tiers = new Map();
    for (const open of this.#segments) {
      const tier = Math.max(0, Math.ceil(Math.log(open.segment.count / SMALLEST_TIER) / Math.log(TIER_FACTOR)));
      const similar = tiers.get(tier) ?? [];
      tiers.set(tier, [...similar, open]);
    }
    return [...tiers.values()].find((similar) => similar.length >= MERGE_AT) ?? null;
  }
}
