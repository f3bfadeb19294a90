import { existsSync, mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runInProcess, runForJson } from '../../support/service/command.js';
import { createTestDatabase, DIALECTS, type TestDatabase } from '../../support/stores/test-database.js';
import { untilIndexBuilt } from '../../support/search/own-index.js';
import { freePort } from '../../support/stores/free-port.js';
import { runBuiltCommand, ServiceProcess } from '../../support/process/processes.js';

const REDIS_URL = process.env.TEST_REDIS_URL ?? '';

interface Check {
  readonly name: string;
  readonly state: string;
  readonly message: string;
}

describe.each(DIALECTS)('doctor (%s)', (dialect) => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase(dialect);
  });
  afterAll(() => database.drop());

  const examine = async (settings: Readonly<Record<string, string>> = {}, ...options: readonly string[]) => {
    const all = { DATABASE_URL: database.url, DATA_DIR: database.folder, ...settings };
    const { status, out } = await runBuiltCommand(['doctor', '--json', ...options], all);
    const { ok, checks } = JSON.parse(out) as { ok: boolean; checks: Check[] };
    return { status, ok, states: Object.fromEntries(checks.map(({ name, state }) => [name, state])), checks };
  };

  it('reports what is missing, then that all is well, and changes nothing itself', async () => {
    const empty = await examine();
    expect([empty.status, empty.ok]).toEqual([1, false]);
    expect(empty.checks.map(({ message }) => message)).toContainEqual(
      expect.stringMatching(/: run "creator-data migrate"$|, or run "creator-data migrate"$/),
    );
    // The embedded database's file, which opening it would create.
    expect(existsSync(join(database.folder, 'test.sqlite'))).toBe(false);

    await runInProcess(database, 'migrate');
    const noKey = await examine();
    expect([noKey.status, noKey.states]).toMatchObject([0, { database: 'good', schema: 'good', keys: 'warning' }]);

    await runForJson(database, 'keys', 'create', '--name', 'x');
    const well = await examine();
    expect([well.status, well.ok]).toEqual([0, true]);
    expect(well.states).toEqual({
      node: 'good',
      settings: 'good',
      database: 'good',
      schema: 'good',
      keys: 'good',
      usage: 'good',
      writers: 'good',
      ...(dialect === 'mysql' ? { grants: 'good', packet: 'good', buffer: 'good' } : {}),
      clock: 'good',
      redis: 'good',
      disk: 'good',
      search: 'good',
      backup: 'good',
      collect: 'good',
      enriching: 'good',
    });
    expect((await runInProcess(database, 'doctor')).out).toMatch(/^ok +node .*\nok +settings .*\nok +database /);
  });

  it('reports which sources can be collected, and invalid settings of them', async () => {
    const collectCheck = async (settings: Readonly<Record<string, string>>) =>
      (await examine(settings)).checks.find(({ name }) => name === 'collect');
    expect(await collectCheck({})).toMatchObject({ state: 'good', message: 'no credentials are set' });
    expect(await collectCheck({ YOUTUBE_API_KEY: 'k' })).toMatchObject({
      state: 'good',
      message: 'settings of youtube are valid',
    });
    expect(await collectCheck({ TWITCH_CLIENT_ID: 'x' })).toMatchObject({
      state: 'bad',
      message: 'collect twitch needs TWITCH_CLIENT_SECRET: see docs/collecting.md',
    });
  });

  it('counts keys by kind, and names those that expire within 14 days, the first one first', async () => {
    const keysCheck = async () => (await examine()).checks.find(({ name }) => name === 'keys');
    const create = (...options: string[]) => runForJson(database, 'keys', 'create', '--name', 'x', ...options);
    const dayAfter = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
    const { id } = await create('--month-units', '5', '--expires', dayAfter(16));
    await runForJson(database, 'keys', 'expire', (await create()).id, '2020-01-01');
    await create('--test');
    expect(await keysCheck()).toMatchObject({
      state: 'good',
      message: '3 valid, 0 revoked, 1 expired, 1 with a month allowance, 1 for tests',
    });
    await runForJson(database, 'keys', 'expire', id, dayAfter(13));
    const first = await create('--expires', dayAfter(2));
    const check = await keysCheck();
    expect(check?.state).toBe('warning');
    expect(check?.message).toContain(
      `; expiring within 14 days: ${first.id} on ${dayAfter(2)}, ${id} on ${dayAfter(13)}: prolong`,
    );
  });

  it('reports a search index of another database', async () => {
    const other = await createTestDatabase(dialect);
    try {
      await runInProcess(other, 'migrate');
      const settings = { DATABASE_URL: other.url, DATA_DIR: other.folder };
      await runForJson(other, 'keys', 'create', '--name', 'x');
      const service = await ServiceProcess.start(settings);
      await untilIndexBuilt(other.folder);
      await service.stop();
      const searchCheck = async (folder: string) =>
        (await examine({ DATA_DIR: folder })).checks.find(({ name }) => name === 'search');
      expect(await searchCheck(other.folder)).toEqual({
        name: 'search',
        state: 'warning',
        message: `${join(other.folder, 'search')} is of another database: the service builds its index anew, so give each its own DATA_DIR`,
      });
    } finally {
      await other.drop();
    }
  });

  it('reports the age of the newest backup, and a missing one', async () => {
    const folder = join(database.folder, 'backups');
    const backup = async () => (await examine({}, '--backup', folder)).checks.find(({ name }) => name === 'backup');
    const file = (name: string, ageHours: number, text = 'x') => {
      const at = Date.now() / 1000 - ageHours * 3600 - 60;
      writeFileSync(join(folder, name), text);
      utimesSync(join(folder, name), at, at);
    };
    expect(await backup()).toMatchObject({ state: 'bad', message: expect.stringContaining('ENOENT') });
    mkdirSync(folder);
    file('empty.sql', 0, '');
    expect(await backup()).toMatchObject({ state: 'bad', message: expect.stringContaining('has no backup') });
    file('old.sql', 49);
    expect(await backup()).toMatchObject({ state: 'warning', message: expect.stringMatching(/old\.sql is 49 h old/) });
    file('new.sql', 3);
    expect(await backup()).toMatchObject({ state: 'good', message: `${join(folder, 'new.sql')} is 3 h old` });
    file('data-usage.sqlite', 1);
    expect((await examine({}, '--backup', join(folder, 'data-usage.sqlite'))).checks).toContainEqual(
      expect.objectContaining({ name: 'backup', state: 'good' }),
    );
    expect(await backup()).toMatchObject({
      state: 'warning',
      message: expect.stringMatching(/data\.sqlite is missing beside .*data-usage\.sqlite: back up both/),
    });
    file('data.sqlite', 50);
    expect(await backup()).toMatchObject({
      state: 'warning',
      message: expect.stringMatching(/data\.sqlite is 50 h old/),
    });
    rmSync(folder, { recursive: true });
  });

  it('reports an unreachable Redis and an invalid setting', async () => {
    const down = await examine({ REDIS_URL: `redis://127.0.0.1:${await freePort()}` });
    expect([down.status, down.states.redis]).toEqual([1, 'bad']);
    const wrong = await examine({ PORT: 'x' });
    expect([wrong.status, wrong.checks.at(-1)]).toEqual([
      1,
      { name: 'settings', state: 'bad', message: 'PORT must be a port number from 0 to 65535' },
    ]);
  });

  if (process.env.TEST_REDIS_URL) {
    it('reports a reachable Redis and its clock', async () => {
      const { checks } = await examine({ REDIS_URL: process.env.TEST_REDIS_URL ?? '' });
      expect(checks.find(({ name }) => name === 'redis')?.message).toMatch(/answers in [\d.]+ ms$/);
      expect(checks.some(({ name, message }) => name === 'clock' && message.endsWith('Redis'))).toBe(true);
    });
  }
});

// Without a Redis on this machine there is none to ask; the last lines of `npm test` say so.
const describeRedis = REDIS_URL === '' ? describe.skip : describe;

describeRedis('doctor and Redis', () => {
  it('tells a database that Redis does not have', async () => {
    const settings = { DATABASE_URL: 'sqlite:/nowhere/x', REDIS_URL: `${REDIS_URL.replace(/\/\d*$/, '')}/99` };
    const { status, out } = await runBuiltCommand(['doctor', '--json'], settings);
    const { checks } = JSON.parse(out) as { checks: Check[] };
    expect(status).toBe(1);
    expect(checks.find(({ name }) => name === 'redis')).toMatchObject({
      state: 'bad',
      message: expect.stringContaining('ERR DB index is out of range'),
    });
  });
});
