import { describe, expect, it } from '@jest/globals';
import { giveBack } from './spent-memory.js';

describe('giving the memory of an answer back', () => {
  it('frees what is large enough to have memory of its own', () => {
    const large = Buffer.alloc(100_000, 'x');
    giveBack(large);
    expect([large.length, large.buffer.byteLength]).toEqual([0, 0]);
  });

  it('leaves alone what others may have a part of', () => {
    // Not Node's own pool, which refuses to be given away.
    const shared = new ArrayBuffer(Buffer.poolSize);
    giveBack(Buffer.from(shared, 0, Buffer.poolSize >>> 1));
    expect(shared.byteLength).toBe(Buffer.poolSize);
  });
});
