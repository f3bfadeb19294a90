import { describe, expect, it } from '@jest/globals';
import { gameSchema } from './game.js';

describe('the name of a game', () => {
  it.each(['x', '😀'])('may have 1000 characters, and not one more (%s)', (character) => {
    const name = character.repeat(1000);
    expect(gameSchema.parse({ id: '4', name }).name).toBe(name);
    expect(gameSchema.safeParse({ id: '4', name: name + character }).success).toBe(false);
  });
});
