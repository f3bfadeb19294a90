import { beforeEach, describe, expect, it } from '@jest/globals';
import { KeyMonthEntity } from '../../../src/receipts/usage.entities.js';
import { runInProcess, runForJson } from '../../support/service/command.js';
import { describeService, type TestService } from '../../support/service/test-service.js';
import { withoutSqlCheck } from '../../support/sql/sql-list.js';

const PROFILE = '/platforms/live_platform/profiles/none';
const DAY_MS = 86_400_000;

const keys = (service: TestService, ...args: string[]) => runForJson(service.testDatabase, 'keys', ...args);
const failure = async (service: TestService, ...args: string[]) => {
  const { status, out, err } = await runInProcess(service.testDatabase, 'keys', ...args);
  expect([status, out]).toEqual([1, '']);
  return err;
};
const answer = async (service: TestService, key: string) => {
  const { status, body } = await service.get(PROFILE, { 'x-api-key': key });
  return [status, body.error.message];
};
const listed = async (service: TestService, id: string) =>
  (await keys(service, 'list')).find((key: { id: string }) => key.id === id);

/** @returns the UTC date of a day, from today on */
const dayAfter = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);

const VALID = [404, 'Profile not found'];
const REJECTED = [403, 'Invalid API key'];

describeService('terms of a key', (service) => {
  describe('create', () => {
    it('stores customer, month allowances and expiry, and prints them beside the key', async () => {
      const options = [
        '--customer',
        'Acme',
        '--month-units',
        '1000',
        '--month-credits',
        '0',
        '--expires',
        '2099-12-31',
      ];
      const issued = await keys(service(), 'create', '--name', 'shop', ...options);
      const terms = { customer: 'Acme', month_units: 1000, month_credits: 0, expires_at: '2099-12-31T00:00:00.000Z' };
      const { id } = issued;
      expect(issued).toEqual({
        id,
        name: 'shop',
        key: expect.stringMatching(/^cdk_[0-9a-f]{52}$/),
        rate_limit: null,
        ...terms,
      });
      expect(await listed(service(), id)).toMatchObject({ ...terms, test: false });
      expect(await answer(service(), issued.key)).toEqual(VALID);
    });

    it('makes a key its own customer, without plan or expiry, by default', async () => {
      const { id } = await keys(service(), 'create', '--name', 'alone');
      const none = { month_units: null, month_credits: null, expires_at: null, test: false };
      expect(await listed(service(), id)).toMatchObject({ customer: 'alone', ...none });
    });

    it('--test issues a key that begins cdk_test_, also when it is rotated', async () => {
      const issued = await keys(service(), 'create', '--name', 'staging', '--test');
      expect(issued).toMatchObject({ key: expect.stringMatching(/^cdk_test_[0-9a-f]{52}$/), test: true });
      expect(await listed(service(), issued.id)).toMatchObject({ test: true });
      const rotated = await keys(service(), 'rotate', issued.id);
      expect(rotated.key).toMatch(/^cdk_test_[0-9a-f]{52}$/);
      expect((await service().get(PROFILE, { 'x-api-key': issued.key })).status).toBe(403);
      expect((await service().get(PROFILE, { 'x-api-key': rotated.key })).status).toBe(404);
    });

    it.each([
      ['--month-units', '-1'],
      ['--month-units', '1.5'],
      ['--month-credits', '9007199254740993'],
      ['--month-credits', 'none'],
      ['--expires', '2026-02-30'],
      ['--expires', 'tomorrow'],
      ['--expires', '2020-01-01'],
      ['--expires', new Date().toISOString().slice(0, 10)],
      ['--customer', ' '],
    ])('rejects %s %j with one line', async (option, value) => {
      expect(await failure(service(), 'create', '--name', 'x', option, value)).toMatch(
        new RegExp(`^[^\\n]*${option}[^\\n]*\\n$`),
      );
    });
  });

  describe('expire', () => {
    // Failed keys of one test must not count for the next.
    beforeEach(() => service().clock.advance(60_000));

    it('rejects the key from the first instant of the UTC date, and not before', async () => {
      const { id, key } = await service().newKey();
      const midnight = Date.parse(dayAfter(3));
      expect(await keys(service(), 'expire', id, dayAfter(3))).toEqual({
        id,
        expires_at: new Date(midnight).toISOString(),
      });
      service().clock.stopAt(midnight - 1);
      expect(await answer(service(), key)).toEqual(VALID);
      service().clock.advance(1);
      expect(await answer(service(), key)).toEqual(REJECTED);
      service().clock.run();
    });

    it('accepts the key with a later date or none from the next request on, however often it was rejected', async () => {
      const { id, key } = await service().newKey();
      for (const date of ['2099-01-01', 'none']) {
        await keys(service(), 'expire', id, dayAfter(0));
        const statuses: number[] = [];
        for (let sent = 0; sent < 35; sent += 1) {
          statuses.push((await service().get(PROFILE, { 'x-api-key': key })).status);
        }
        expect(statuses).toEqual([...Array<number>(30).fill(403), ...Array<number>(5).fill(429)]);
        await keys(service(), 'expire', id, date);
        expect(await answer(service(), key)).toEqual(VALID);
        service().clock.advance(60_000);
      }
    });

    it('is in force in every process', async () => {
      const other = await service().startSecond();
      try {
        const { id, key } = await service().newKey();
        await keys(service(), 'expire', id, '2020-01-01');
        expect([await answer(service(), key), await answer(other, key)]).toEqual([REJECTED, REJECTED]);
        await keys(service(), 'expire', id, 'none');
        expect([await answer(service(), key), await answer(other, key)]).toEqual([VALID, VALID]);
      } finally {
        await other.stop();
      }
    });
  });

  describe('plan', () => {
    const planOf = async (id: string) => {
      const { month_units, month_credits } = await listed(service(), id);
      return [month_units, month_credits];
    };

    it('sets and removes each allowance, and leaves the one that is not named', async () => {
      const { id } = await service().newKey();
      expect(await keys(service(), 'plan', id, '--month-units', '500')).toEqual({
        id,
        month_units: 500,
        month_credits: null,
      });
      await keys(service(), 'plan', id, '--month-credits', '7');
      expect(await planOf(id)).toEqual([500, 7]);
      await keys(service(), 'plan', id, '--month-units', 'none');
      expect(await planOf(id)).toEqual([null, 7]);
      await keys(service(), 'plan', id, '--month-credits', 'none', '--month-units', '1');
      expect(await planOf(id)).toEqual([1, null]);
    });

    it('fails without an allowance, for an unknown and for a revoked key', async () => {
      const { id } = await service().newKey();
      expect(await failure(service(), 'plan', id)).toBe('name --month-units, --month-credits or both\n');
      expect(await failure(service(), 'plan', 'key_nobody', '--month-units', '1')).toMatch(
        /^there is no key key_nobody/,
      );
      await service().keys.revoke(id);
      expect(await failure(service(), 'plan', id, '--month-units', '1')).toMatch(/^key \w+ is revoked/);
    });

    it('discards the stored month of a key that had no plan, and keeps that of a key that had one', async () => {
      const { id } = await service().newKey();
      const months = async () =>
        withoutSqlCheck(() => service().database.usage.dataSource.getRepository(KeyMonthEntity).findBy({ key_id: id }));
      const insert = () =>
        withoutSqlCheck(() => service().database.usage.write((writer) => writer.insert(KeyMonthEntity, [row])));
      const row = { key_id: id, month: 202_601, quota_units: 5, credits: 0, warned_percent: 0 };
      await insert();
      await keys(service(), 'plan', id, '--month-units', '500');
      expect(await months()).toEqual([]);
      await insert();
      await keys(service(), 'plan', id, '--month-units', '600');
      expect(await months()).toHaveLength(1);
    });
  });

  it('customer changes who gets the bill, and rejects what is not a name', async () => {
    const { id } = await service().newKey();
    expect(await keys(service(), 'customer', id, 'Müller & Söhne')).toEqual({ id, customer: 'Müller & Söhne' });
    expect(await listed(service(), id)).toMatchObject({ name: 'a test', customer: 'Müller & Söhne' });
    expect(await failure(service(), 'customer', id, 'a\nb')).toMatch(/control characters/);
  });

  it.each([
    ['create', ['--name', 'second key', '--customer', 'ACME Analytics']],
    ['customer', ['Acme-Analytics']],
  ])('%s names a customer of almost the same name, who gets another bill', async (command, args) => {
    const first = `Acmé Analytics`;
    const { id } = await keys(service(), 'create', '--name', 'a key', '--customer', first);
    const target = command === 'customer' ? [(await keys(service(), 'create', '--name', 'other key')).id] : [];
    const { status, err } = await runInProcess(service().testDatabase, 'keys', command, ...target, ...args);
    expect([status, err]).toEqual([0, expect.stringContaining(`also the customer "${first}", with a separate bill`)]);
    await keys(service(), 'revoke', id);
  });

  it('the table of keys shows customer, allowance, expiry and test', async () => {
    const { id } = await keys(service(), 'create', '--name', 'n', '--customer', 'C', '--month-units', '1000', '--test');
    await keys(service(), 'expire', id, '2020-01-01');
    const { out } = await runInProcess(service().testDatabase, 'keys', 'list');
    const line = out.split('\n').find((each) => each.startsWith(id));
    expect(line).toMatch(/n +C +default +never +0 +0 +0 +1,000 units +[\d-]+ +2020-01-01 +expired +test *$/);
  });
});
