import { describe, expect, it } from '@jest/globals';
import { fillRange, intersect, ScratchBitmaps, ScratchPool, subtract, unite } from './scratch-bitmaps.js';
import { countBits, hasBit, setBit } from './segments/postings.mjs';

const bitsOf = (...ranks: readonly number[]): Uint32Array => {
  const bits = new Uint32Array(4);
  for (const rank of ranks) setBit(bits, rank);
  return bits;
};

describe('a block of bits', () => {
  it.each([
    [0, 128],
    [0, 0],
    [31, 33],
    [32, 64],
    [63, 64],
    [5, 127],
    [200, 300],
    [90, 300],
  ])('is filled from %d to before %d', (from, to) => {
    const block = new Uint32Array(4).fill(7);
    fillRange(block, 0, from, to);
    for (let rank = 0; rank < 128; rank++) expect(hasBit(block, rank)).toBe(rank >= from && rank < to);
  });

  it('is filled relative to its first bit', () => {
    const block = new Uint32Array(2);
    fillRange(block, 64, 70, 1000);
    expect([hasBit(block, 5), hasBit(block, 6), countBits(block)]).toEqual([false, true, 58]);
  });

  it('is intersected, united and reduced, and tells whether anything remains', () => {
    const bits = bitsOf(1, 33, 127);
    expect([intersect(bits, bitsOf(33, 127)), countBits(bits)]).toEqual([true, 2]);
    expect([subtract(bits, bitsOf(33)), hasBit(bits, 127)]).toEqual([true, true]);
    expect(subtract(bits, bitsOf(127))).toBe(false);
    expect(intersect(bitsOf(31), bitsOf(32))).toBe(false);
    unite(bits, bitsOf(31));
    expect(hasBit(bits, 31)).toBe(true);
  });
});

describe('scratch bitmaps', () => {
  it('are used again after their release, and not before', () => {
    const scratch = new ScratchBitmaps();
    const [first, second] = [scratch.acquire(4), scratch.acquire(8)];
    expect(first.buffer).not.toBe(second.buffer);
    const mark = scratch.mark();
    const third = scratch.acquire(2);
    scratch.releaseTo(mark);
    expect(scratch.acquire(2).buffer).toBe(third.buffer);
    scratch.releaseTo(0);
    expect(scratch.acquire(4).buffer).toBe(first.buffer);
  });

  it('are given to later queries, up to 16 MiB', () => {
    const pool = new ScratchPool();
    const queries = Array.from({ length: 3 }, () => pool.acquire());
    for (const scratch of queries) scratch.acquire(2 * 1024 * 1024);
    for (const scratch of queries) pool.release(scratch);
    const later = Array.from({ length: 3 }, () => pool.acquire());
    expect(later.filter((scratch) => queries.includes(scratch))).toHaveLength(2);
    expect(new Set(later).size).toBe(3);
  });
});
