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
    const ends = this.#ends.toArray();
    for (let rank = 0; rank < order.length; rank++) {
      const profile = Number(order[rank]);
      const end = Number(ends[profile]);
      for (let at = profile === 0 ? 0 : Number(ends[profile - 1]); at < end; at++) {
        const number = Number(numbers[at]);
        const place = Number(next[number]);
        ranks[place] = rank;
        next[number] = place + 1;
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
  /** Bytes of all IDs, one after another, with room for more. */
  #ids = Buffer.alloc(65_536);
  #idStarts = new NumberList(Uint32Array);
  #followers = new NumberList(Float64Array);
  #lastActive = new NumberList(Float64Array);

  constructor() {
    this.#idStarts.push(0);
  }

  get count() {
    return this.#followers.length;
  }

  /** Adds a creator. @param {import('./terms.mjs').CreatorRecord} record @param {number} followers stored sort value
   * @param {number} lastActive likewise */
  add(record, followers, lastActive) {
    this.#addId(record.profile.id);
    this.#followers.push(followers);
    this.#lastActive.push(lastActive);
    this.#words.add(wordsOf(record.profile));
    this.#sets.add(attributesOf(record));
  }

  /** @param {string} id */
  #addId(id) {
    const start = this.#idStarts.at(this.count);
    const end = start + Buffer.byteLength(id);
    if (end > this.#ids.length) this.#ids = Buffer.concat([this.#ids], Math.max(end, this.#ids.length * 2));
    this.#ids.write(id, start);
    this.#idStarts.push(end);
  }

  /** @param {string} path */
  write(path) {
    const idStarts = this.#idStarts.toArray();
    const profiles = {
      ids: this.#ids.subarray(0, idStarts.at(-1)),
      idStarts,
      followers: this.#followers.toArray(),
      lastActive: this.#lastActive.toArray(),
    };
    const order = sortProfiles(profiles, profiles.followers);
    writeSegment(path, profiles, order, this.#words.byTerm(order), this.#sets.byTerm(order));
  }
}
