import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { aProfile, uniqueId } from '../../support/records/builders.js';
import { runBuiltCommand } from '../../support/process/processes.js';
import { runForJson } from '../../support/service/command.js';
import { describeService } from '../../support/service/test-service.js';
import { exportedRecords, flushUsage, type UsageRow } from '../../support/service/usage.js';

const MONTH = '2018-05';
const DAYS = ['--from', `${MONTH}-01`, '--to', `${MONTH}-31`] as const;
const REQUESTS = 150;
/** Odd to the number of paths, so that every key sends every request. */
const KEYS = 7;

interface Sums {
  readonly requests: number;
  readonly quota_units: number;
  readonly credits: number;
}

const sumsOf = (rows: readonly Pick<UsageRow, 'quota_units' | 'credits'>[]): Sums => ({
  requests: rows.length,
  quota_units: rows.reduce((sum, row) => sum + row.quota_units, 0),
  credits: rows.reduce((sum, row) => sum + row.credits, 0),
});

describeService('a month with live keys, test keys, 402s and a customer with three keys', (service) => {
  const json = (...args: string[]) => runForJson(service().testDatabase, 'usage', ...args);

  it('has the same sums in export, summary, GET /usage, archive and invoice', async () => {
    const profile = aProfile();
    await service().load('profiles', profile);
    await service().load('socials', {
      platform_id: 'live_platform',
      profile_id: profile.id,
      links: [{ id: 'x', platform_id: 'photo_platform' }],
    });
    const customer = `Acme ${uniqueId()}`;
    const create = (terms: object) => service().keys.create(`key ${uniqueId()}`, 100_000, terms);
    const ofCustomer = [
      await create({ customer }),
      await create({ customer, month_units: 40 }),
      await create({ customer, month_credits: 25 }),
    ];
    const alone = [await create({}), await create({ month_units: 15, month_credits: 10 })];
    const tests = [await create({ customer, is_test: 1 }), await create({ is_test: 1, month_units: 30 })];
    const keys = [...ofCustomer, ...alone, ...tests];
    expect(keys).toHaveLength(KEYS);
    const creator = `/platforms/live_platform/profiles/${profile.id}`;
    const paths = [creator, `${creator}/socials`, '/platforms/live_platform/profiles?limit=5', '/usage', '/no/path'];
    const seen = new Map<string, { quota_units: number; credits: number }[]>(keys.map(({ id }) => [id, []]));
    const statuses = new Set<number>();
    for (let nth = 0; nth < REQUESTS; nth += 1) {
      const { id = '', key = '' } = keys[nth % KEYS] ?? {};
      service().clock.stopAt(Date.parse(`${MONTH}-01T00:00:00Z`) + nth * 17_000_000);
      const { status, headers } = await service().get(paths[nth % paths.length] ?? '', { 'x-api-key': key });
      statuses.add(status);
      seen.get(id)?.push({ quota_units: Number(headers['x-quota-units']), credits: Number(headers['x-credits']) });
    }
    expect(statuses).toEqual(new Set([200, 402, 404]));

    for (const { id, key } of keys) {
      const { body } = await service().get('/usage', { 'x-api-key': key });
      expect([id, body.meta.totals]).toEqual([id, expect.objectContaining(sumsOf(seen.get(id) ?? []))]);
    }
    service().clock.reset();
    await flushUsage(service());

    const records = await exportedRecords(service(), ...DAYS);
    const own = (id: string) => records.filter(({ key_id }) => key_id === id);
    for (const { id } of keys) {
      const { requests, ...cost } = sumsOf(seen.get(id) ?? []);
      // One request more: GET /usage above, which costs nothing.
      expect([id, sumsOf(own(id))]).toEqual([id, { requests: requests + 1, ...cost }]);
    }
    const live = [...ofCustomer, ...alone].flatMap(({ id }) => own(id));
    const total = sumsOf(live);

    const summary = await json('summary', ...DAYS, '--by', 'customer');
    expect(summary.totals).toMatchObject(total);
    const line = (summary.lines as ({ customer: string } & Sums)[]).find((one) => one.customer === customer);
    expect(line).toEqual({ customer, ...sumsOf(ofCustomer.flatMap(({ id }) => own(id))) });

    const folder = join(service().testDatabase.folder, uniqueId());
    const { requests, ...cost } = total;
    expect((await json('archive', '--month', MONTH, '--out', folder)).totals).toMatchObject({
      records: requests,
      ...cost,
    });
    expect((await json('archive', '--check', folder)).totals).toMatchObject(total);

    const out = join(service().testDatabase.folder, uniqueId());
    const settings = { DATABASE_URL: service().testDatabase.url, DATA_DIR: service().testDatabase.folder };
    const invoice = await runBuiltCommand(['usage', 'invoice', '--month', MONTH, '--out', out, '--json'], settings);
    expect([invoice.status, JSON.parse(invoice.out)]).toMatchObject([0, { customers: 3, totals: total }]);
    const csv = readFileSync(join(out, `invoice-${MONTH}.csv`), 'utf8');
    for (const { id } of tests) expect(csv).not.toContain(id);
    const [head = '', ...lines] = csv.trimEnd().split('\n');
    const column = (name: string) => head.split(',').indexOf(name);
    const sumOf = (name: string) => lines.reduce((sum, text) => sum + Number(text.split(',')[column(name)]), 0);
    expect([sumOf('requests'), sumOf('quota_units'), sumOf('credits')]).toEqual([
      total.requests,
      total.quota_units,
      total.credits,
    ]);
  });
});
