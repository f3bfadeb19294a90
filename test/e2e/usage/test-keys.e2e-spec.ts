import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, expect, it } from '@jest/globals';
import { uniqueId } from '../../support/records/builders.js';
import { runBuiltCommand } from '../../support/process/processes.js';
import { runInProcess, runForJson } from '../../support/service/command.js';
import { describeService } from '../../support/service/test-service.js';
import { flushUsage } from '../../support/service/usage.js';

const CONTENT = '/platforms/live_platform/content/none';

describeService('bookkeeping of test keys and customers', (service) => {
  afterEach(() => service().clock.reset());

  const json = (...args: string[]) => runForJson(service().testDatabase, 'usage', ...args);
  const run = (...args: string[]) => runInProcess(service().testDatabase, 'usage', ...args);
  const monthDays = (month: string) => ['--from', `${month}-01`, '--to', `${month}-28`];

  /** Uses two live keys of one customer, a third of another, and a test key of the first, in a month. */
  const aMonth = async (month: string) => {
    const customer = `Acme ${uniqueId()}`;
    const web = await service().keys.create('web', null, { customer });
    const app = await service().keys.create('app', null, { customer });
    const other = await service().keys.create(`other ${uniqueId()}`, null);
    const test = await service().keys.create('staging', null, { customer, is_test: 1 });
    const requests = [web, web, app, other, test, test, test];
    for (const [nth, { key }] of requests.entries()) {
      service().clock.stopAt(Date.parse(`${month}-10T00:00:00Z`) + nth);
      await service().get(CONTENT, { 'x-api-key': key });
    }
    service().clock.reset();
    await flushUsage(service());
    return { customer, web, app, other, test };
  };

  it('usage export and find mark the records of test keys, and only these', async () => {
    const { test } = await aMonth('2019-01');
    const { out } = await run('export', '--format', 'ndjson', ...monthDays('2019-01'));
    const records = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(records).toHaveLength(7);
    const marks = records.map((record) => [record.key_id === test.id, 'test' in record ? record.test : 'unmarked']);
    expect(marks.filter(([isTest]) => isTest)).toEqual(Array(3).fill([true, true]));
    expect(marks.filter(([isTest]) => !isTest)).toEqual(Array(4).fill([false, 'unmarked']));
    const marked = records.find(({ key_id }) => key_id === test.id);
    expect(await json('find', marked.request_id)).toMatchObject({ key_id: test.id, test: true });
    const [head = '', ...lines] = (await run('export', ...monthDays('2019-01'))).out.trimEnd().split('\n');
    expect(head).toMatch(/,duration_ms,test$/);
    expect(lines.filter((line) => line.endsWith(',true'))).toHaveLength(3);
    expect(lines.every((line) => line.split(',').length === head.split(',').length)).toBe(true);
  });

  it('usage summary leaves test keys out, unless it is asked for one', async () => {
    const { test } = await aMonth('2019-02');
    const { lines, totals } = await json('summary', ...monthDays('2019-02'));
    expect(totals).toMatchObject({ requests: 4, quota_units: 4 });
    expect(lines.map(({ key }: { key: string }) => key)).not.toContain(test.id);
    expect((await json('summary', ...monthDays('2019-02'), '--by', 'day')).totals).toEqual(totals);
    expect((await json('summary', ...monthDays('2019-02'), '--key', test.id)).totals).toMatchObject({ requests: 3 });
  });

  it('usage summary --by customer sums the keys of a customer, and a key without one under its name', async () => {
    const { customer, other } = await aMonth('2019-03');
    const { lines } = await json('summary', ...monthDays('2019-03'), '--by', 'customer');
    expect(lines).toEqual([
      { customer, requests: 3, quota_units: 3, credits: 0 },
      { customer: other.name, requests: 1, quota_units: 1, credits: 0 },
    ]);
    service().clock.stopAt(Date.parse('2019-03-11T00:00:00Z'));
    await service().get(CONTENT, { 'x-api-key': 'wrong' });
    service().clock.reset();
    await flushUsage(service());
    const unknown = ['summary', '--from', '2019-03-11', '--to', '2019-03-11', '--by', 'customer'];
    expect((await json(...unknown)).lines).toEqual([{ customer: null, requests: 1, quota_units: 0, credits: 0 }]);
    const both = await json('summary', '--from', '2019-03-10', '--to', '2019-03-10', '--by', 'customer,key');
    expect(both.lines.map((line: { customer: string }) => line.customer)).toEqual([customer, customer, other.name]);
    expect((await run('archive', '--check', 'x', '--by', 'customer')).err).toMatch(/one or two of key, day, month, op/);
  });

  it('an archive holds the records of test keys, marked, and its totals leave them out', async () => {
    const { test } = await aMonth('2018-04');
    const folder = join(service().testDatabase.folder, uniqueId());
    const { totals } = await json('archive', '--month', '2018-04', '--out', folder);
    expect(totals).toMatchObject({ records: 4, quota_units: 4 });
    const lines = gunzipSync(readFileSync(join(folder, 'usage-2018-04-10.ndjson.gz')))
      .toString()
      .trimEnd()
      .split('\n');
    expect(lines.filter((line) => JSON.parse(line).test === true)).toHaveLength(3);
    const checked = await json('archive', '--check', folder);
    expect(checked.totals).toMatchObject({ requests: 4 });
    expect(JSON.stringify(checked)).not.toContain(test.id);
    const prune = ['prune', '--before', '2018-05-01', '--archive', folder, '--dry-run'];
    expect(await json(...prune)).toMatchObject({ records_deleted: 7 });
  });

  it('usage archive and prune say how many of the records are of test keys', async () => {
    await run('prune', '--before', '2018-06-01', '--without-archive', '--yes');
    await aMonth('2018-06');
    const folder = join(service().testDatabase.folder, uniqueId());
    const tests = '3 of them of test keys, which are not billed';
    const { out } = await run('archive', '--month', '2018-06', '--out', folder);
    expect(out).toContain(`: 7 records of 2018-06, ${tests}. `);
    expect((await run('archive', '--check', folder)).err).toContain(` It has 7 records, ${tests}.\n`);
    const prune = await run('prune', '--before', '2018-07-01', '--archive', folder, '--dry-run');
    expect(prune.out).toContain(`Would delete 7 records of 2018-06-10 to 2018-06-10, ${tests}.`);
  });

  it('usage prune needs no archive for days without records, and names them', async () => {
    await run('prune', '--before', '2018-09-01', '--without-archive', '--yes');
    await aMonth('2018-09');
    const folder = join(service().testDatabase.folder, uniqueId());
    await json('archive', '--month', '2018-09', '--out', folder);
    const prune = async (before: string) =>
      (await run('prune', '--before', before, '--archive', folder, '--dry-run')).out;
    expect(await prune('2018-10-15')).toContain(
      ' 14 days from 2018-10-01 to 2018-10-14 are in no archive, and need none: they have no records.',
    );
    expect(await prune('2018-10-02')).toContain(' 2018-10-01 is in no archive, and needs none: it has no records.');
    expect(await prune('2018-10-01')).toMatch(/would be kept\.\n$/);
  });

  it('an invoice has one sheet for each customer, with the keys of it, and nothing of test keys', async () => {
    const { customer, web, app, other, test } = await aMonth('2019-06');
    const out = join(service().testDatabase.folder, uniqueId());
    const settings = { DATABASE_URL: service().testDatabase.url, DATA_DIR: service().testDatabase.folder };
    const invoice = (...args: string[]) =>
      runBuiltCommand(['usage', 'invoice', '--month', '2019-06', ...args], settings);
    const { status, out: printed } = await invoice('--out', out, '--json');
    expect([status, JSON.parse(printed)]).toMatchObject([0, { customers: 2, totals: { requests: 4 } }]);
    const csv = readFileSync(join(out, 'invoice-2019-06.csv'), 'utf8');
    expect(csv).toContain(`2019-06,${app.id},${customer},content.get,1,`);
    expect(csv).toContain(`2019-06,${web.id},${customer},content.get,2,`);
    const page = readFileSync(join(out, 'invoice-2019-06.html'), 'utf8');
    expect(page.match(/class="sheet"/g)).toHaveLength(2);
    for (const text of [web.id, app.id, other.id]) expect(page).toContain(text);
    expect(csv + page).not.toContain(test.id);
    const refused = await invoice('--key', test.id, '--out', out);
    expect([refused.status, refused.err]).toEqual([1, `key ${test.id} is a test key, which is never billed\n`]);
  });
});
