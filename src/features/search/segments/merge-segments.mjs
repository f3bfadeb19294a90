// @ts-check
import { countBits, hasBit, isBitmapOf, PREFIX, setBit } from './postings.mjs';
import { ranksOf } from './segment.mjs';
import { sortProfiles, writeSegment } from './write-segment.mjs';

/** @typedef {import('./segment.mjs').Segment} Segment */
/** @typedef {import('./term-table.mjs').Postings} Postings */

/** Segment with its replaced and deleted profiles; null for none.
 * @typedef {{ readonly segment: Segment, readonly dead: Uint32Array | null }} LiveSegment */

/** Rank of a profile that the merged segment leaves out. */
const NONE = 0xffffffff;

/** Merges segments into one, without their dead profiles. @param {string} path @param {readonly LiveSegment[]} inputs */
export function mergeSegments(path, inputs) {
  const profiles = joinProfiles(inputs);
  const order = sortProfiles(profiles, profiles.followers);
  const size = order.length;
  const rankOfProfile = new Uint32Array(size);
  for (const [rank, profile] of order.entries()) rankOfProfile[profile] = rank;
  let profile = 0;
  const sources = inputs.map(({ segment, dead }) => {
    const newRanks = new Uint32Array(segment.count);
    for (let rank = 0; rank < segment.count; rank++) {
      newRanks[rank] = dead !== null && hasBit(dead, rank) ? NONE : Number(rankOfProfile[profile++]);
    }
    return { segment, newRanks };
  });
  writeSegment(path, profiles, order, mergeTerms(sources, 'words', size), mergeTerms(sources, 'sets', size));
}

/** @param {readonly LiveSegment[]} inputs @returns {import('./write-segment.mjs').SegmentProfiles} */
function joinProfiles(inputs) {
  const count = inputs.reduce(
    (sum, { segment, dead }) => sum + segment.count - (dead === null ? 0 : countBits(dead)),
    0,
  );
  const idStarts = new Uint32Array(count + 1);
  const [followers, lastActive] = [new Float64Array(count), new Float64Array(count)];
  /** @type {Buffer[]} */
  const ids = [];
  let [profile, end] = [0, 0];
  for (const { segment, dead } of inputs) {
    const { bytes, starts } = segment.readIds();
    const columns = { followers: segment.readColumn('followers'), lastActive: segment.readColumn('lastActive') };
    let kept = 0;
    for (let rank = 0; rank < segment.count; rank++) {
      if (dead !== null && hasBit(dead, rank)) continue;
      const [from, to] = [Number(starts[rank]), Number(starts[rank + 1])];
      bytes.copyWithin(kept, from, to);
      kept += to - from;
      followers[profile] = Number(columns.followers[rank]);
      lastActive[profile] = Number(columns.lastActive[rank]);
      profile += 1;
      idStarts[profile] = end + kept;
    }
    ids.push(bytes.subarray(0, kept));
    end += kept;
  }
  return { ids: Buffer.concat(ids), idStarts, followers, lastActive };
}

/** Next term of a source. @typedef {object} Head
 * @property {string} term
 * @property {Postings} postings
 * @property {Source} source */

/** Terms of a segment that are not merged yet.
 * @typedef {object} Source
 * @property {Generator<readonly [string, Postings]>} rest
 * @property {(postings: Postings) => Uint32Array} read
 * @property {Uint32Array} newRanks rank of each profile in the merged segment */

/** Lists the terms of all sources in their order, each with its ranks in the merged segment.
 * @param {readonly { segment: Segment, newRanks: Uint32Array }[]} sources @param {'words' | 'sets'} table @param {number} size profiles of the merged segment
 * @returns {Generator<readonly [string, Uint32Array]>} */
function* mergeTerms(sources, table, size) {
  const heads = new Heap();
  for (const { segment, newRanks } of sources) {
    heads.pushNext({ rest: segment[table].withPrefix(''), read: segment.postingsReader(), newRanks });
  }
  for (let first = heads.pop(); first !== undefined;) {
    const { term } = first;
    /** @type {Uint32Array[]} */
    const parts = [];
    /** @type {Head | undefined} */
    let head = first;
    while (head !== undefined && head.term === term) {
      parts.push(mapRanks(head));
      heads.pushNext(head.source);
      head = heads.pop();
    }
    const ranks = joinRanks(parts, size);
    // Prefixes are computed again.
    if (ranks.length > 0 && !(table === 'sets' && term.startsWith(PREFIX))) yield [term, ranks];
    first = head;
  }
}

/** @param {Head} head */
function mapRanks({ postings, source: { read, newRanks } }) {
  const ranks = read(postings);
  let kept = 0;
  for (const rank of ranks) {
    const mapped = Number(newRanks[rank]);
    if (mapped !== NONE) ranks[kept++] = mapped;
  }
  return ranks.subarray(0, kept);
}

/** Sorts the ranks of a term. @param {readonly Uint32Array[]} parts @param {number} size profiles of the merged segment */
function joinRanks(parts, size) {
  const [only] = parts;
  if (parts.length === 1 && only !== undefined) return only;
  const count = parts.reduce((sum, { length }) => sum + length, 0);
  if (isBitmapOf(count, size)) {
    // Faster than sorting many.
    const bits = new Uint32Array(Math.ceil(size / 32));
    for (const part of parts) for (const rank of part) setBit(bits, rank);
    return ranksOf(bits, count);
  }
  const ranks = new Uint32Array(count);
  let at = 0;
  for (const part of parts) {
    ranks.set(part, at);
    at += part.length;
  }
  return ranks.sort();
}

/** Binary heap of the sources by their next terms. */
class Heap {
  /** @type {Head[]} */
  #heads = [];

  /** Adds a source with its next term, if it has one.
   * @param {Source} source */
  pushNext(source) {
    const next = source.rest.next();
    if (next.done) return;
    const [term, postings] = next.value;
    const heads = this.#heads;
    const head = { term, postings, source };
    let at = heads.length;
    for (
      let parent;
      at > 0 && (parent = heads[(at - 1) >> 1]) !== undefined && term < parent.term;
      at = (at - 1) >> 1
    ) {
      heads[at] = parent;
    }
    heads[at] = head;
  }

  /** Removes the source with the first term. @returns {Head | undefined} */
  pop() {
    const heads = this.#heads;
    const [first] = heads;
    const last = heads.pop();
    if (last === undefined || heads.length === 0) return first;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      let least = heads[child];
      if (least === undefined) break;
      const right = heads[child + 1];
      if (right !== undefined && right.term < least.term) {
        least = right;
        child += 1;
      }
      if (last.term <= least.term) break;
      heads[at] = least;
      at = child;
    }
    heads[at] = last;
    return first;
  }
}
