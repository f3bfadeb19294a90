import { describe, expect, it } from '@jest/globals';
import { sentinelsOf } from './redis-sentinels.js';

describe('the address of a Redis with Sentinels', () => {
  it('has their hosts, the name by which they know it, and its database', () => {
    expect(sentinelsOf('redis+sentinel://one:26380,10.0.0.2,[::1]:26381/main/3')).toEqual({
      sentinels: [
        { host: 'one', port: 26_380 },
        { host: '10.0.0.2', port: 26_379 },
        { host: '::1', port: 26_381 },
      ],
      name: 'main',
      username: undefined,
      password: undefined,
      db: 3,
    });
  });

  it.each([
    ['redis+sentinel://:p%40ss@one/main', undefined, 'p@ss'],
    ['redis+sentinel://user:secret@one/main', 'user', 'secret'],
  ])('%s: has the user and password of Redis', (url, username, password) => {
    expect(sentinelsOf(url)).toMatchObject({ username, password, name: 'main', db: 0 });
  });

  it.each([
    'redis://one/main',
    'redis+sentinel://one',
    'redis+sentinel:///main',
    'redis+sentinel://one:99999/main',
    'redis+sentinel://one,/main',
    'redis+sentinel://:%zz@one/main',
    'redis+sentinel://one/main/x',
  ])('%s is none', (url) => {
    expect(sentinelsOf(url)).toBeNull();
  });
});
