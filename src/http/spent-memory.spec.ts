import { describe, expect, it } from '@jest/globals';
import { giveBack } from './spent-memory.js';

describe('giving the memory of an answer back', () => {
  it('frees what the answer has to itself', () => {
    const large = Buffer.alloc(100_000, 'x');
    giveBack([Buffer.from('{'), large, Buffer.from('}')]);
    expect([large.length, large.buffer.byteLength]).toEqual([0, 0]);
  });

  it('leaves alone what others have a part of', () => {
    const [small, neighbour] = [Buffer.from('small'), Buffer.from('neighbour')];
    giveBack([small]);
    expect([small.toString(), neighbour.toString()]).toEqual(['small', 'neighbour']);
  });
});
