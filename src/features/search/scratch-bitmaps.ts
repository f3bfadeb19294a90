/** Bitmaps of a query that are kept for later ones. */
const MAX_KEPT = 32;

/** Size of all bitmaps that are kept while no query uses them. */
const MAX_FREE_BYTES = 16 * 1024 * 1024;

/** Bitmaps that a query needs while it runs. */
export class ScratchBitmaps {
  readonly #bitmaps: Uint32Array[] = [];
  #used = 0;

  /** Returns a bitmap with undefined content, which is valid until it is released. @param words its length */
  acquire(words: number): Uint32Array {
    const at = this.#used++;
    let bitmap = this.#bitmaps[at];
    if (bitmap === undefined || bitmap.length < words) this.#bitmaps[at] = bitmap = new Uint32Array(words);
    return bitmap.subarray(0, words);
  }

  /** Size of the bitmaps, also of those that are not in use. */
  get bytes(): number {
    return this.#bitmaps.reduce((sum, { byteLength }) => sum + byteLength, 0);
  }

  /** Returns the number of bitmaps in use, for `releaseTo`. */
  mark(): number {
    return this.#used;
  }

  /** Releases the bitmaps that were acquired since a mark. @param mark 0 releases all */
  releaseTo(mark: number): void {
    this.#used = mark;
    if (mark === 0 && this.#bitmaps.length > MAX_KEPT) this.#bitmaps.length = MAX_KEPT;
  }
}

/** Scratch bitmaps that no query uses. Without them, each query would leave garbage that only a full collection frees. */
export class ScratchPool {
  readonly #free: ScratchBitmaps[] = [];
  #freeBytes = 0;

  acquire(): ScratchBitmaps {
    const scratch = this.#free.pop();
    if (scratch === undefined) return new ScratchBitmaps();
    this.#freeBytes -= scratch.bytes;
    return scratch;
  }

  /** Keeps the bitmaps for a later query, unless too many are kept. */
  release(scratch: ScratchBitmaps): void {
    scratch.releaseTo(0);
    if (this.#freeBytes + scratch.bytes > MAX_FREE_BYTES) return;
    this.#free.push(scratch);
    this.#freeBytes += scratch.bytes;
  }
}

/** Words (of 32 ranks) per block. A query evaluates block by block, and stops when it has enough results. */
export const BLOCK_WORDS = 2048;

/** Intersects `target` with `other`. @returns false if nothing remains */
export function intersect(target: Uint32Array, other: Uint32Array): boolean {
  let remaining = 0;
  for (let at = 0; at < target.length; at++) {
    const word = (target[at] as number) & (other[at] as number);
    target[at] = word;
    remaining |= word;
  }
  return remaining !== 0;
}

/** Removes the bits of `other`. @returns false if nothing remains */
export function subtract(target: Uint32Array, other: Uint32Array): boolean {
  let remaining = 0;
  for (let at = 0; at < target.length; at++) {
    const word = (target[at] as number) & ~(other[at] as number);
    target[at] = word;
    remaining |= word;
  }
  return remaining !== 0;
}

export function unite(target: Uint32Array, other: Uint32Array): void {
  for (let at = 0; at < target.length; at++) target[at] = (target[at] as number) | (other[at] as number);
}

/** Sets the bits from `from` to before `to`; all others of the block are cleared. @param firstBit number of the block's first bit */
export function fillRange(target: Uint32Array, firstBit: number, from: number, to: number): void {
  const bits = target.length * 32;
  const [start, end] = [Math.max(0, from - firstBit), Math.min(bits, to - firstBit)];
  target.fill(0);
  if (start >= end) return;
  const [startWord, endWord] = [start >>> 5, end >>> 5];
  target.fill(0xffffffff, startWord, endWord);
  if ((end & 31) !== 0) target[endWord] = (1 << (end & 31)) - 1;
  if ((start & 31) !== 0) target[startWord] = (target[startWord] as number) & (-1 << (start & 31));
}
