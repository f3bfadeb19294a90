// @ts-check
import { NumberList } from './number-list.mjs';
import { attributesOf, wordsOf } from './terms.mjs';
import { sortProfiles, writeSegment } from './write-segment.mjs';

/** Terms by their numbers, and the numbers of each profile. */
class TermNumbers {
  /** @type {Map<string, number>} */
  #numbers = new Map();
  /** Last profile of each number, plus 1. */
  #lastProfiles = new NumberList(Uint32Array);
  /** Numbers of all profiles, one after another. */
  #ofProfiles = new NumberList(Uint32Array);
  /** End of each profile's numbers. */
  #ends = new NumberList(Uint32Array);

  /** @param {Iterable<string>} terms of the next profile; may repeat */
  add(terms) {
    const profile = this.#ends.length + 1;
    for (const term of terms) {
      let number = this.#numbers.get(term);
      if (number === undefined) {
        this.#numbers.set(term, (number = this.#numbers.size));
        this.#lastProfiles.push(0);
      }
      if (this.#lastProfiles.at(number) === profile) continue;
      this.#lastProfiles.set(number, profile);
      this.#ofProfiles.push(number);
    }
    this.#ends.push(this.#ofProfiles.length);
  }

  /** Lists the terms in their order, each with its ranks. @param {Uint32Array} order the profiles by rank
   * @returns {Generator<readonly [string, Uint32Array]>} */
  *byTerm(order) {
    const starts = new Uint32Array(this.#numbers.size + 1);
    const numbers = this.#ofProfiles.toArray();
    for (const number of numbers) starts[number + 1] = Number(starts[number + 1]) + 1;
    for (let number = 1; number < starts.length; number++)
      starts[number] = Number(starts[number]) + Number(starts[number - 1]);
    const ranks = new Uint32Array(Number(starts.at(-1)));
    const next = starts.slice();
    for (const [rank, profile] of order.entries()) {
      const start = profile === 0 ? 0 : this.#ends.at(profile - 1);
      for (const number of numbers.subarray(start, this.#ends.at(profile))) {
        const at = Number(next[number]);
        ranks[at] = rank;
        next[number] = at + 1;
      }
    }
    for (const term of [...this.#numbers.keys()].sort()) {
      const number = Number(this.#numbers.get(term));
      yield [term, ranks.subarray(starts[number], starts[number + 1])];
    }
  }
}

/** Collects creators, and writes them as a segment. */
export class SegmentBuilder {
  #words = new TermNumbers();
  #sets = new TermNumbers();
  /** @type {Buffer[]} */
  #ids = [];
  /** @type {number[]} */
  #followers = [];
  /** @type {number[]} */
  #lastActive = [];

  get count() {
    return this.#ids.length;
  }

  /** Adds a creator. @param {import('./terms.mjs').CreatorRecord} record @param {number} followers stored sort value
   * @param {number} lastActive likewise */
  add(record, followers, lastActive) {
    this.#ids.push(Buffer.from(record.profile.id));
    this.#followers.push(followers);
    this.#lastActive.push(lastActive);
    this.#words.add(wordsOf(record.profile));
    this.#sets.add(attributesOf(record));
  }

  /** @param {string} path */
  write(path) {
    const idStarts = new Uint32Array(this.count + 1);
    let end = 0;
    for (const [index, { length }] of this.#ids.entries()) idStarts[index + 1] = end += length;
    const followers = Float64Array.from(this.#followers);
    const profiles = {
      ids: Buffer.concat(this.#ids),
      idStarts,
      followers,
      lastActive: Float64Array.from(this.#lastActive),
    };
    const order = sortProfiles(profiles, followers);
    writeSegment(path, profiles, order, this.#words.byTerm(order), this.#sets.byTerm(order));
  }
}
