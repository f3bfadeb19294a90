import { describe, expect, it } from '@jest/globals';
import { parseSentinelUrl } from './redis-sentinels.js';

describe('sentinelsOf', () => {
  it('parses the hosts of the Sentinels, the name of the primary and the database', () => {
    expect(parseSentinelUrl('redis+sentinel://one:26380,10.0.0.2,[::1]:26381/main/3')).toEqual({
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
  ])('parses the user and password in %s', (url, username, password) => {
    expect(parseSentinelUrl(url)).toMatchObject({ username, password, name: 'main', db: 0 });
  });

  it.each([
    'redis://one/main',
    'redis+sentinel://one',
    'redis+sentinel:///main',
    'redis+sentinel://one:99999/main',
    'redis+sentinel://one,/main',
    'redis+sentinel://:%zz@one/main',
    'redis+sentinel://one/main/x',
  ])('returns null for %s', (url) => {
    expect(parseSentinelUrl(url)).toBeNull();
  });
});
