import { describe, expect, it } from '@jest/globals';
import { ConfigError, readConfig } from './config.js';

const MYSQL = 'mysql://user:password@db:3306/creators';

describe('readConfig', () => {
  it('returns the documented defaults for an empty environment', () => {
    expect(readConfig({})).toEqual({
      port: 3000,
      host: '0.0.0.0',
      database: {
        dialect: 'sqlite',
        path: './data/creator-data.sqlite',
        usagePath: 'data/creator-data-usage.sqlite',
      },
      redisUrl: null,
      rateLimitPerMinute: 1000,
      trustProxy: 0,
      corsOrigins: null,
      metricsPort: null,
      bodyTimeoutSeconds: 10,
      logLevel: 'info',
      logRequests: 'errors',
      workers: 1,
      dataFolder: './data',
    });
  });

  it('treats an empty variable as unset', () => {
    const names = ['PORT', 'HOST', 'DATABASE_URL', 'DATABASE_REPLICA_URLS', 'REDIS_URL', 'RATE_LIMIT_PER_MINUTE'];
    const empty = Object.fromEntries(
      [
        ...names,
        'TRUST_PROXY',
        'CORS_ORIGINS',
        'METRICS_PORT',
        'BODY_TIMEOUT_SECONDS',
        'LOG_LEVEL',
        'LOG_REQUESTS',
        'WORKERS',
      ].map((name) => [name, '']),
    );
    expect(readConfig(empty)).toEqual(readConfig({}));
    expect(readConfig({ PORT: undefined, UNRELATED: 'x' })).toEqual(readConfig({}));
  });

  it.each(['p', 'a b', '#?/@:%&', '%41', 'ä€😀', '$HOME'])('inserts DATABASE_PASSWORD %j into the URL', (password) => {
    const { database } = readConfig({ DATABASE_URL: 'mysql://user@db/creators', DATABASE_PASSWORD: password });
    expect(decodeURIComponent(new URL((database as { url: string }).url).password)).toBe(password);
  });

  it.each([MYSQL, 'sqlite:./x.sqlite'])('rejects DATABASE_PASSWORD with the URL %j', (url) => {
    expect(() => readConfig({ DATABASE_URL: url, DATABASE_PASSWORD: 'x' })).toThrow(
      'DATABASE_PASSWORD must be the password for mysql:// URLs that contain no password, and unset for others',
    );
  });

  it('returns the values of all variables', () => {
    expect(
      readConfig({
        PORT: '8080',
        HOST: '::1',
        DATABASE_URL: MYSQL,
        DATABASE_REPLICA_URLS: `${MYSQL}, mysql://replica/creators`,
        REDIS_URL: 'rediss://cache:6379',
        RATE_LIMIT_PER_MINUTE: '5',
        TRUST_PROXY: '2',
        CORS_ORIGINS: 'https://a.example,http://localhost:5173',
        METRICS_PORT: '9090',
        BODY_TIMEOUT_SECONDS: '30',
        LOG_LEVEL: 'debug',
        LOG_REQUESTS: 'all',
        WORKERS: '4',
        DATA_DIR: '/var/lib/creator-data',
      }),
    ).toEqual({
      port: 8080,
      host: '::1',
      database: { dialect: 'mysql', url: MYSQL, replicaUrls: [MYSQL, 'mysql://replica/creators'] },
      redisUrl: 'rediss://cache:6379',
      rateLimitPerMinute: 5,
      trustProxy: 2,
      corsOrigins: ['https://a.example', 'http://localhost:5173'],
      metricsPort: 9090,
      bodyTimeoutSeconds: 30,
      logLevel: 'debug',
      logRequests: 'all',
      workers: 4,
      dataFolder: '/var/lib/creator-data',
    });
  });

  it.each([
    ['PORT', '0', '65535'],
    ['METRICS_PORT', '0', '65535'],
    ['RATE_LIMIT_PER_MINUTE', '1', '1000000000'],
    ['TRUST_PROXY', '0', '100'],
    ['BODY_TIMEOUT_SECONDS', '1', '300'],
  ])('accepts %s from %s to %s', (name, lowest, highest) => {
    expect(() => readConfig({ [name]: lowest })).not.toThrow();
    expect(() => readConfig({ [name]: highest })).not.toThrow();
    expect(() => readConfig({ [name]: `${Number(lowest) - 1}` })).toThrow(ConfigError);
    expect(() => readConfig({ [name]: `${Number(highest) + 1}` })).toThrow(ConfigError);
  });

  it.each([
    ['PORT', '80a'],
    ['PORT', '1.5'],
    ['PORT', '1e3'],
    ['PORT', ' 80'],
    ['HOST', 'a host'],
    ['DATABASE_URL', 'postgres://x/y'],
    ['DATABASE_URL', 'sqlite:'],
    ['DATABASE_URL', 'sqlite: '],
    ['DATABASE_URL', 'sqlite:x '],
    ['DATABASE_URL', ' sqlite:x'],
    ['DATABASE_URL', 'mysql:host/database'],
    ['DATABASE_URL', 'sqlite::memory:'],
    ['DATABASE_URL', 'sqlite:file::memory:'],
    ['DATABASE_URL', 'sqlite:file:x?mode=memory'],
    ['DATABASE_URL', 'sqlite:data/'],
    ['DATABASE_URL', 'mysql://host'],
    ['DATABASE_URL', 'mysql://host/'],
    ['DATABASE_URL', 'data.sqlite'],
    ['DATABASE_REPLICA_URLS', MYSQL],
    ['REDIS_URL', 'localhost:6379'],
    ['REDIS_URL', 'http://localhost'],
    ['REDIS_URL', 'redis:6379'],
    ['REDIS_URL', 'redis+sentinel://host/main?db=1'],
    ['REDIS_URL', 'redis://localhost/first'],
    ['REDIS_URL', 'redis://localhost/1/2'],
    ['RATE_LIMIT_PER_MINUTE', 'many'],
    ['TRUST_PROXY', 'true'],
    ['CORS_ORIGINS', 'example.com'],
    ['CORS_ORIGINS', 'https://a.example,https://b.example/path'],
    ['METRICS_PORT', '-1'],
    ['LOG_LEVEL', 'INFO'],
    ['WORKERS', '0'],
    ['WORKERS', '2'],
  ])('rejects %s=%s with one line that names the variable and what it accepts', (name, value) => {
    const line = expect.stringMatching(new RegExp(`^${name} must be (?!undefined)[^\n]+$`)) as unknown as string;
    expect(() => readConfig({ [name]: value })).toThrow(ConfigError);
    expect(() => readConfig({ [name]: value })).toThrow(expect.objectContaining({ message: line }));
  });

  it('rejects one port for the API and for metrics, whose second listener would blame another process', () => {
    expect(() => readConfig({ METRICS_PORT: '3000' })).toThrow('METRICS_PORT must differ from PORT');
  });

  it.each([
    'redis://localhost',
    'redis://localhost/',
    'redis://localhost:6379/12',
    'rediss://u:p@localhost/0?family=6',
  ])('REDIS_URL takes %s', (redisUrl) => expect(readConfig({ REDIS_URL: redisUrl })).toMatchObject({ redisUrl }));

  it.each(['x', './:memory:', '/a b/c.sqlite', 'profile:1'])('DATABASE_URL takes the file %s', (path) =>
    expect(readConfig({ DATABASE_URL: `sqlite:${path}` }).database).toMatchObject({ dialect: 'sqlite', path }),
  );

  it.each([
    ['DATABASE_URL', 'mysql://user@host/database?multipleStatements=true', '; the option multipleStatements is not'],
    ['DATABASE_REPLICA_URLS', 'mysql://user@host/database?ssl=x', '; the option ssl is not supported'],
    ['REDIS_URL', 'redis://host/0?enableOfflineQueue=true', '; the option enableOfflineQueue is not supported'],
    ['DATABASE_URL', 'sqlite: ./x', '; PATH must not begin or end with a blank'],
  ])('explains what is wrong with %s=%s', (name, value, detail) => {
    expect(() => readConfig({ DATABASE_URL: MYSQL, [name]: value })).toThrow(detail);
  });

  it('accepts schemes in any case', () => {
    const given = { DATABASE_URL: 'MySQL://user@db/creators', REDIS_URL: 'REDIS://cache', DATABASE_PASSWORD: 'p' };
    expect(readConfig(given)).toMatchObject({
      database: { dialect: 'mysql', url: 'mysql://user:p@db/creators' },
      redisUrl: 'redis://cache',
    });
    expect(readConfig({ DATABASE_URL: 'SQLITE:./X.sqlite' }).database).toEqual({
      dialect: 'sqlite',
      path: './X.sqlite',
      usagePath: 'X-usage.sqlite',
    });
  });

  it('keeps the password of an invalid URL out of the message', () => {
    expect(() => readConfig({ DATABASE_URL: 'mysql://user:secret@host' })).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('secret') }),
    );
    expect(() => readConfig({ DATABASE_URL: MYSQL, DATABASE_REPLICA_URLS: 'mysql://user:secret@host' })).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('secret') }),
    );
  });
});
