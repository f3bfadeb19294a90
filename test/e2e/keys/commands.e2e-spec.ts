import { describe, expect, it } from '@jest/globals';
import type { Database } from '../../../src/database/database.js';
import { runInProcess, runForJson } from '../../support/service/command.js';
import { describeService, type TestService } from '../../support/service/test-service.js';
import { createTestDatabase } from '../../support/stores/test-database.js';
import { withoutSqlCheck } from '../../support/sql/sql-list.js';

const PROFILE = '/platforms/live_platform/profiles/none';

const keys = (service: TestService, ...args: string[]) => runForJson(service.testDatabase, 'keys', ...args);
const statusOf = async (service: TestService, key: string) => (await service.get(PROFILE, { 'x-api-key': key })).status;

/** Returns the line of the list about one key. */
const listed = async (service: TestService, id: string) =>
  (await keys(service, 'list')).find((key: { id: string }) => key.id === id);

describeService('keys', (service) => {
  describe('create', () => {
    it('prints id, name, key and rate_limit of a key that works at once', async () => {
      const issued = await keys(service(), 'create', '--name', 'Acme Ünïcode', '--rate-limit', '7');
      expect(issued).toEqual({
        id: expect.stringMatching(/^key_/),
        name: 'Acme Ünïcode',
        key: expect.any(String),
        rate_limit: 7,
      });
      const answer = await service().get(PROFILE, { 'x-api-key': issued.key });
      expect([answer.status, answer.headers['x-ratelimit-minute-limit']]).toEqual([404, '7']);
    });

    it('sets the default allowance of 1,000 requests a minute without --rate-limit', async () => {
      const issued = await keys(service(), 'create', '--name', 'default');
      expect(issued.rate_limit).toBeNull();
      const { headers } = await service().get(PROFILE, { 'x-api-key': issued.key });
      expect([headers['x-ratelimit-minute-limit'], headers['x-ratelimit-minute-remaining']]).toEqual(['1000', '999']);
    });

    it('prints only the key on standard output without --json, and warns on standard error that it is shown once', async () => {
      const { status, out, err } = await runInProcess(service().testDatabase, 'keys', 'create', '--name', 'people');
      expect(status).toBe(0);
      expect(await statusOf(service(), out.trim())).toBe(404);
      expect(err).toMatch(/will not be shown again/);
      expect(err).not.toContain(out.trim());
    });

    it('makes a new key each time, also under the same name', async () => {
      const [a, b] = [
        await keys(service(), 'create', '--name', 'twin'),
        await keys(service(), 'create', '--name', 'twin'),
      ];
      expect(a.id).not.toBe(b.id);
      expect(a.key).not.toBe(b.key);
    });

    it('stores a hash of the key in the table, and the key nowhere', async () => {
      const { id, key } = await keys(service(), 'create', '--name', 'secret');
      await statusOf(service(), key);
      const { database } = service();
      const rowsOf = async (where: Database, table: string) =>
        (await withoutSqlCheck(() => where.all<object>({ sql: `SELECT * FROM ${table}` }, []))).map(
          (row) => Object.values(row) as unknown[],
        );
      const everything = await Promise.all([
        ...['api_keys', 'secrets', 'counters'].map((table) => rowsOf(database, table)),
        ...['usage_journal', 'usage_totals'].map((table) => rowsOf(database.usage, table)),
      ]);
      expect(everything[0]?.find((row) => row[0] === id)).toContainEqual(expect.stringMatching(/^[0-9a-f]{52}$/));
      const text = everything.flat(2).map(String).join('\n');
      expect(text).not.toContain(key);
      const [randomPart, checksum] = [key.slice(4, 44), key.slice(44)];
      expect(text).not.toContain(randomPart);
      expect(text).not.toContain(checksum);
    });

    it.each([
      ['no name', []],
      ['a blank name', ['--name', ' ']],
      ['a name of 201 characters', ['--name', 'x'.repeat(201)]],
      ['a name with a line break', ['--name', 'a\nb']],
      ['a name that turns the text around', ['--name', 'a\u202eb']],
      ['a name with a mark of direction', ['--name', 'a\u200eb\u061c']],
      ['a name with a space of no width', ['--name', 'a\u200bb']],
      ['a name with a joiner between Latin letters', ['--name', 'a\u200db']],
      ['a name with a tag', ['--name', 'a\u{e0041}']],
      ['a name with a filler', ['--name', 'a\u3164b']],
      ['an allowance of 0', ['--name', 'x', '--rate-limit', '0']],
      ['an allowance with a fraction', ['--name', 'x', '--rate-limit', '1.5']],
      ['an allowance beyond 1000000000', ['--name', 'x', '--rate-limit', '1000000001']],
    ])('rejects %s with status 1', async (_, args) => {
      const before = (await keys(service(), 'list')).length;
      const { status, out, err } = await runInProcess(service().testDatabase, 'keys', 'create', ...args);
      expect([status, out]).toEqual([1, '']);
      expect(err).toMatch(/^[^\n]*(--name|--rate-limit)[^\n]*; see "creator-data keys create --help"\n$/);
      expect(await keys(service(), 'list')).toHaveLength(before);
    });

    it.each([
      ['a name of 200 characters', ['--name', '🎮'.repeat(200)]],
      ['a Persian name', ['--name', 'می\u200cخواهم']],
      ['a Hindi name', ['--name', 'क्\u200dष']],
      ['an emoji of several', ['--name', '👩🏽\u200d🚀 ❤️\u200d🔥']],
      ['an allowance of 1', ['--name', 'x', '--rate-limit', '1']],
      ['an allowance of 1000000000', ['--name', 'x', '--rate-limit', '1000000000']],
    ])('accepts %s', async (_, args) => {
      expect(await statusOf(service(), (await keys(service(), 'create', ...args)).key)).toBe(404);
    });
  });

  describe('list', () => {
    it('shows every key with its state, without its text or hash', async () => {
      const [valid, rotated, revoked] = [await service().newKey(5), await service().newKey(), await service().newKey()];
      await keys(service(), 'rotate', rotated.id);
      await keys(service(), 'revoke', revoked.id);
      const date = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/);
      const unused = { last_used: null, this_month: { requests: 0, quota_units: 0, credits: 0 } };
      const terms = { customer: 'a test', month_units: null, month_credits: null, expires_at: null, test: false };
      const common = { name: 'a test', created_at: date, hidden_members: [], ...terms, ...unused };
      expect(await listed(service(), valid.id)).toEqual({
        id: valid.id,
        rate_limit: 5,
        rotated_at: null,
        revoked_at: null,
        ...common,
      });
      expect(await listed(service(), rotated.id)).toEqual({
        id: rotated.id,
        rate_limit: null,
        rotated_at: date,
        revoked_at: null,
        ...common,
      });
      expect(await listed(service(), revoked.id)).toEqual({
        id: revoked.id,
        rate_limit: null,
        rotated_at: null,
        revoked_at: date,
        ...common,
      });
    });

    it('prints a table with a line per key without --json', async () => {
      const { id } = await service().newKey(12);
      const { id: other } = await service().newTestKey();
      await keys(service(), 'customer', other, 'Acme');
      await keys(service(), 'plan', other, '--month-units', '5');
      await keys(service(), 'expire', other, '2999-01-01');
      await keys(service(), 'policy', other, '--hide', 'email');
      const { status, out } = await runInProcess(service().testDatabase, 'keys', 'list');
      const lines = out.trimEnd().split('\n');
      expect([status, lines.length]).toEqual([0, 1 + (await keys(service(), 'list')).length]);
      expect(lines[0]).toMatch(
        /^ID +NAME +CUSTOMER +PER MINUTE +LAST USED +REQUESTS +UNITS +CREDITS +MONTH ALLOWANCE +CREATED +EXPIRES +STATE +TEST +HIDDEN$/,
      );
      expect(lines.find((line) => line.startsWith(id))).toMatch(
        /a test +a test +12 +never +0 +0 +0 +none +[\d-]+ +never +valid +none$/,
      );
    });

    it('prints no columns that are empty for all keys', async () => {
      const fresh = await createTestDatabase(service().dialect);
      try {
        await runInProcess(fresh, 'migrate');
        await runInProcess(fresh, 'keys', 'create', '--name', 'Acme');
        const { out } = await runInProcess(fresh, 'keys', 'list');
        const [head = '', row = ''] = out.trimEnd().split('\n');
        expect(head).toMatch(/^ID +NAME +PER MINUTE +LAST USED +REQUESTS +UNITS +CREDITS +CREATED +STATE$/);
        expect(row).toMatch(/^key_\w+ +Acme +default +never +0 +0 +0 +[\d-]+ +valid$/);
      } finally {
        await fresh.drop();
      }
    });

    it('shows the day of the last use of a key and the cost of this month only', async () => {
      const { id, key } = await service().newKey();
      const get = (path: string) => service().get(path, { 'x-api-key': key });
      service().clock.stopAt(Date.parse('2025-01-31T23:59:59Z'));
      await get('/usage');
      service().clock.reset();
      const zero = { requests: 0, quota_units: 0, credits: 0 };
      expect(await listed(service(), id)).toMatchObject({ last_used: '2025-01-31', this_month: zero });
      await get('/platforms/live_platform/content/none');
      await get('/usage');
      expect(await listed(service(), id)).toMatchObject({
        last_used: new Date().toISOString().slice(0, 10),
        this_month: { requests: 2, quota_units: 1, credits: 0 },
      });
    });
  });

  describe('rotate', () => {
    it('prints a new key with the same ID, name and allowance', async () => {
      const { id, key, name } = await service().newKey(9);
      const rotated = await keys(service(), 'rotate', id);
      expect(rotated).toEqual({ id, name, key: expect.any(String), rate_limit: 9 });
      expect(rotated.key).not.toBe(key);
    });

    it('invalidates the old key for the very next request, in every process', async () => {
      const other = await service().startSecond();
      try {
        const { id, key } = await service().newKey();
        expect([await statusOf(service(), key), await statusOf(other, key)]).toEqual([404, 404]);
        const rotated = await keys(service(), 'rotate', id);
        expect([await statusOf(other, key), await statusOf(service(), key)]).toEqual([403, 403]);
        expect([await statusOf(other, rotated.key), await statusOf(service(), rotated.key)]).toEqual([404, 404]);
      } finally {
        await other.stop();
      }
    });

    it('continues the same minute', async () => {
      const { id, key } = await service().newKey(2);
      expect(await statusOf(service(), key)).toBe(404);
      const rotated = await keys(service(), 'rotate', id);
      expect([await statusOf(service(), rotated.key), await statusOf(service(), rotated.key)]).toEqual([404, 429]);
    });
  });

  describe('revoke', () => {
    it('invalidates the key for the very next request, in every process, permanently', async () => {
      const other = await service().startSecond();
      try {
        const { id, key } = await service().newKey();
        expect([await statusOf(service(), key), await statusOf(other, key)]).toEqual([404, 404]);
        expect(await keys(service(), 'revoke', id)).toEqual({ id, revoked: true });
        const { status, body } = await other.get(PROFILE, { 'x-api-key': key });
        expect([status, body.error.message]).toEqual([403, 'Invalid API key']);
        expect(await statusOf(service(), key)).toBe(403);
      } finally {
        await other.stop();
      }
    });
  });

  describe('limit', () => {
    it('takes effect with the next request, up and down', async () => {
      const { id, key } = await service().newKey(1);
      expect([await statusOf(service(), key), await statusOf(service(), key)]).toEqual([404, 429]);
      expect(await keys(service(), 'limit', id, '10')).toEqual({ id, rate_limit: 10 });
      const { status, headers } = await service().get(PROFILE, { 'x-api-key': key });
      expect([status, headers['x-ratelimit-minute-limit'], headers['x-ratelimit-minute-remaining']]).toEqual([
        404,
        '10',
        '7',
      ]);
      await keys(service(), 'limit', id, '1');
      expect(await statusOf(service(), key)).toBe(429);
    });

    it('is the default again with "default"', async () => {
      const { id, key } = await service().newKey(3);
      expect(await keys(service(), 'limit', id, 'default')).toEqual({ id, rate_limit: null });
      const { headers } = await service().get(PROFILE, { 'x-api-key': key });
      expect(headers['x-ratelimit-minute-limit']).toBe('1000');
    });

    it.each(['0', '-1', '1.5', 'many', '1000000001'])('rejects %s requests a minute with status 1', async (limit) => {
      const { id, key } = await service().newKey(3);
      const { status } = await runInProcess(service().testDatabase, 'keys', 'limit', id, '--', limit);
      expect([
        status,
        (await service().get(PROFILE, { 'x-api-key': key })).headers['x-ratelimit-minute-limit'],
      ]).toEqual([1, '3']);
    });
  });

  describe.each([
    ['rotate', []],
    ['revoke', []],
    ['limit', ['5']],
    ['policy', ['--hide', 'email']],
  ])('%s of an unusable key', (name, more) => {
    it('fails with status 1 and one line for an unknown ID', async () => {
      const { status, out, err } = await runInProcess(service().testDatabase, 'keys', name, 'key_nobody', ...more);
      expect([status, out, err]).toEqual([1, '', 'there is no key key_nobody: "creator-data keys list" shows all\n']);
    });

    it('fails with status 1 and one line for a revoked key', async () => {
      const { id, key } = await service().newKey();
      await keys(service(), 'revoke', id);
      const { status, err } = await runInProcess(service().testDatabase, 'keys', name, id, ...more);
      expect([status, err]).toEqual([1, `key ${id} is revoked: create a new one with "keys create"\n`]);
      expect(await statusOf(service(), key)).toBe(403);
    });
  });
});
