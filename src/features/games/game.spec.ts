import { describe, expect, it } from '@jest/globals';
import { gameSchema } from './game.js';

describe('the name of a game', () => {
  it.each([
    ['x', 1000],
    ['é', 500],
    ['☃', 333],
    ['😀', 250],
  ])('has at most 1000 bytes in UTF-8 (%s)', (character, times) => {
    const name = character.repeat(times);
    expect(gameSchema.parse({ id: '4', name }).name).toBe(name);
    expect(gameSchema.safeParse({ id: '4', name: name + character }).success).toBe(false);
  });
});
