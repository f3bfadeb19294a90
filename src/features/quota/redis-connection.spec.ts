import { describe, expect, it } from '@jest/globals';
import { isDatabaseRefused } from './redis-connection.js';

const refusal = (message: string, name = 'select') => Object.assign(new Error(message), { command: { name } });

describe('a database is refused permanently', () => {
  it.each([
    ['ERR DB index is out of range', true],
    ['ERR invalid DB index', true],
    ['ERR SELECT is not allowed in cluster mode', true],
    ["NOPERM this user has no permissions to run the 'select' command", true],
    ["ERR unknown command 'select'", true],
    ['ERR max number of clients reached', false],
    ['LOADING Redis is loading the dataset in memory', false],
    ['NOAUTH Authentication required.', false],
  ])('if SELECT fails with %j: %s', (message, isRefused) => {
    expect(isDatabaseRefused(refusal(message))).toBe(isRefused);
  });

  it('by no other command', () => {
    expect(isDatabaseRefused(refusal('ERR DB index is out of range', 'swapdb'))).toBe(false);
  });
});
