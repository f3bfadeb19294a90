import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { afterEach, expect, it } from '@jest/globals';
import { OPERATIONS } from '../../../src/model/operation.js';
import { uniqueId } from '../../support/records/builders.js';
import { runBuiltCommand } from '../../support/process/processes.js';
import { runForJson, runInProcess } from '../../support/service/command.js';
import { describeService } from '../../support/service/test-service.js';
import { flushUsage } from '../../support/service/usage.js';

describeService('the bill of a month', (service) => {
  afterEach(() => service().clock.reset());
  const folder = () => join(service().testDatabase.folder, `bills-${uniqueId()}`);
  const settings = () => ({ DATABASE_URL: service().testDatabase.url, DATA_DIR: service().testDatabase.folder });
  const usage = (...args: string[]) => runBuiltCommand(['usage', ...args], settings());
  const usageJson = async (...args: string[]) => {
    const { status, out, err } = await usage(...args, '--json');
    expect([status, err]).toEqual([0, expect.stringMatching(/^(Note: the price "request" .*\n)?$/)]);
    return JSON.parse(out);
  };
  const pricesFile = (value: object): string => {
    const file = join(service().testDatabase.folder, `prices-${uniqueId()}.json`);
    writeFileSync(file, JSON.stringify({ currency: 'EUR', ...value }));
    return file;
  };
  const request = async (key: string, time: string, path: string): Promise<void> => {
    service().clock.stopAt(Date.parse(time));
    await service().get(path, { 'x-api-key': key });
    service().clock.reset();
    await flushUsage(service());
  };
  /** Creates a customer who looked up an item in a month, and requested an unknown path. */
  const aCustomer = async (month: string) => {
    const { id, key } = await service().keys.create('Acme', 1000);
    await request(key, `${month}-10T12:00:00Z`, '/platforms/live_platform/content/none');
    await request(key, `${month}-10T12:00:00Z`, '/no/path');
    return { id, key };
  };
  const textOf = (file: string): string =>
    readFileSync(file, 'utf8')
      .replace(/<style>.*?<\/style>|<svg.*?<\/svg>|<[^>]*>/gs, ' ')
      .replace(/\s+/g, ' ');

  it('has its number, dates, unit prices and names of operations for people, on the page', async () => {
    const { id } = await aCustomer('2023-02');
    const prices = pricesFile({ rates: { request: '0', unit: '0.0004', credit: '0.005' }, note: 'Thank you.' });
    const args = ['--month', '2023-02', '--prices', prices, '--due-days', '14'];
    const today = new Date().toISOString().slice(0, 10);
    const due = new Date(Date.parse(today) + 14 * 86_400_000).toISOString().slice(0, 10);
    const number = `2023-02-${createHash('sha256').update(id).digest('hex').slice(0, 10).toUpperCase()}`;

    const all = await usageJson('invoice', ...args, '--out', folder());
    expect(all).toMatchObject({ date: today, due_date: due, totals: { requests: 2 } });
    const one = await usageJson('invoice', ...args, '--key', id, '--out', folder());
    for (const page of [textOf(all.files[1]), textOf(one.files[1])]) {
      expect(page).toContain(`Invoice number ${number} Date ${today} Due date ${due}`);
      expect(page).toContain('Single content look-up 1 1 0 €0.0004 per unit €0.005 per credit €0.00');
      expect(page).toContain('The total includes 1 request to unknown paths, free of charge.');
      expect(page).toContain('Thank you.');
      // `unknown` is also an English word of the page.
      expect(OPERATIONS.filter((name) => name !== 'unknown' && page.includes(name))).toEqual([]);
    }
    expect(readFileSync(all.files[0], 'utf8').split('\n')[1]).toMatch(new RegExp(`,final,${number}$`));
  });

  it('begins with an overview of all customers', async () => {
    const { id } = await aCustomer('2023-06');
    const prices = pricesFile({ rates: { unit: '1' } });
    const { files } = await usageJson('invoice', '--month', '2023-06', '--prices', prices, '--out', folder());
    const page = textOf(files[1]);
    expect(page).toMatch(/^ ?Overview, June 2023 Overview, June 2023 /);
    expect(page).toContain(' Amount by operation Customers ');
    // The sheet of the customer.
    expect(page).toContain('Invoice, June 2023 Invoice number');
    const one = await usageJson('invoice', '--month', '2023-06', '--key', id, '--out', folder());
    expect(textOf(one.files[1])).toMatch(/^ ?Usage, June 2023 /);
  });

  it('says what the amounts by operation leave out', async () => {
    const month = new Date().toISOString().slice(0, 7);
    const { id, key } = await service().keys.create('Acme', 1000);
    await request(key, new Date().toISOString(), '/platforms/live_platform/content/none');
    const captionOf = async (more: object) => {
      const prices = pricesFile({ rates: { unit: '1' }, ...more });
      const args = ['--month', month, '--prices', prices, '--key', id, '--out', folder()];
      const { files } = await usageJson('invoice', ...args);
      return /Amount by operation[^<]*/.exec(readFileSync(files[1], 'utf8'))?.[0];
    };
    const keys = { [id]: { monthly_fee: '10' } };
    const tax = { name: 'VAT', percent: '19' };
    expect(await captionOf({ keys, tax })).toBe('Amount by operation, without fees and tax');
    expect(await captionOf({ keys })).toBe('Amount by operation, without fees');
    expect(await captionOf({ tax })).toBe('Amount by operation, without tax');
  });

  it('has neither number, date nor due date while the month is not over', async () => {
    const now = new Date();
    const { id, key } = await service().keys.create('Acme', 1000);
    await request(key, now.toISOString(), '/platforms/live_platform/content/none');
    const prices = pricesFile({ rates: { unit: '1' } });
    const month = now.toISOString().slice(0, 7);
    const args = ['--month', month, '--prices', prices, '--key', id];
    const [csv, html] = (await usageJson('invoice', ...args, '--out', folder())).files;
    expect(readFileSync(csv, 'utf8').split('\n')[1]).toMatch(/,preliminary,$/);
    const page = textOf(html);
    expect(page).toContain('Preliminary invoice, ');
    expect(page).toContain(` Preliminary as of ${new Date().toISOString().slice(0, 10)} `);
    expect(page).not.toMatch(/Invoice number|Due date|Date /);
  });

  it('has neither number nor due date without prices, and is due in 30 days by default', async () => {
    const { id } = await aCustomer('2023-03');
    const list = await usageJson('invoice', '--month', '2023-03', '--key', id, '--out', folder());
    expect(list.due_date).toBeNull();
    expect(textOf(list.files[1])).not.toMatch(/Invoice number|Due date|Unit price/);
    const prices = pricesFile({ rates: {} });
    const bill = await usageJson('invoice', '--month', '2023-03', '--key', id, '--prices', prices, '--out', folder());
    expect(Date.parse(bill.due_date) - Date.parse(bill.date)).toBe(30 * 86_400_000);
    expect(textOf(bill.files[1])).toContain('Single content look-up 1 1 0 free €0.00');
  });

  it('charges and lists requests to unknown paths if requests have a price', async () => {
    const { id } = await aCustomer('2023-04');
    const prices = pricesFile({ rates: { request: '0.5' } });
    const { files } = await usageJson(
      'invoice',
      '--month',
      '2023-04',
      '--key',
      id,
      '--prices',
      prices,
      '--out',
      folder(),
    );
    expect(textOf(files[1])).toContain('Request to an unknown path 1 0 0 €0.50 per request €0.50');
  });

  it('says so if there is nothing to bill', async () => {
    const out = folder();
    const { status, err } = await usage('invoice', '--month', '2001-01', '--out', out);
    expect([status, err]).toEqual([0, '2001-01 has no billed requests\n']);
    const page = textOf(join(out, 'invoice-2001-01.html'));
    expect(page).toContain('There is no usage and no fee to bill in January 2001.');
    const report = await usageJson('report', '--month', '2001-01', '--out', folder());
    expect(textOf(report.files[1])).toContain('There were no requests in January 2001.');
  });

  it('is not replaced by a different one without --overwrite, and keeps its date if it is the same', async () => {
    const { id, key } = await aCustomer('2023-05');
    const out = folder();
    const args = ['invoice', '--month', '2023-05', '--key', id, '--out', out];
    const prices = pricesFile({ rates: { unit: '1' } });
    const { files } = await usageJson(...args, '--prices', prices);
    const texts = () => (files as string[]).map((file) => readFileSync(file, 'utf8'));
    // As if it had been written on an earlier day.
    const { date } = await usageJson(...args, '--prices', prices);
    writeFileSync(
      files[1],
      texts()[1]
        ?.replaceAll(date, '2023-06-01')
        .replace(/(Due date<\/dt>\s*<dd>)[\d-]+/, '$12023-07-01') ?? '',
    );
    const first = texts();
    expect(await usageJson(...args, '--prices', prices)).toMatchObject({ date: '2023-06-01', due_date: '2023-07-01' });
    expect(texts()).toEqual(first);

    const other = await usage(...args, '--prices', prices, '--due-days', '7');
    expect([other.status, other.err]).toEqual([
      1,
      `${files[1]} is a different bill of this month: choose another folder, or pass --overwrite to replace it\n`,
    ]);
    await request(key, '2023-05-11T12:00:00Z', '/platforms/live_platform/content/none');
    const late = await usage(...args, '--prices', prices);
    expect([late.status, late.err]).toEqual([1, expect.stringContaining(`${files[0]} is a different bill`)]);
    rmSync(files[1]);
    expect((await usage(...args, '--prices', prices)).status).toBe(1);
    writeFileSync(files[1], first[1] ?? '');
    expect(texts()).toEqual(first);

    expect(await usageJson(...args, '--prices', prices, '--overwrite')).toMatchObject({ date });
    expect(texts()[0]).not.toBe(first[0]);
  });

  it('of all does not charge an invoice differently than that of a key in the same folder', async () => {
    const { id } = await aCustomer('2023-09');
    const out = folder();
    const args = ['invoice', '--month', '2023-09', '--out', out];
    const prices = pricesFile({ rates: { unit: '1' } });
    const { files } = await usageJson(...args, '--prices', prices, '--key', id);
    expect((await usage(...args, '--prices', prices)).status).toBe(0);

    const others = pricesFile({ rates: { unit: '2' } });
    const noted = await usage(...args, '--prices', others, '--overwrite', '--key', id);
    expect([noted.status, noted.err]).toEqual([
      0,
      expect.stringMatching(/^Note: .*invoice-2023-09\.csv charges invoice 2023-09-[0-9A-F]{10} differently\n/),
    ]);
    rmSync(join(out, 'invoice-2023-09.csv'));
    rmSync(join(out, 'invoice-2023-09.html'));
    const all = await usage(...args, '--prices', prices);
    expect([all.status, all.err]).toEqual([1, expect.stringContaining(`${files[0]} charges invoice 2023-09-`)]);
    expect(readdirSync(out).filter((name) => name.startsWith('invoice-2023-09.'))).toEqual([]);

    writeFileSync(join(out, 'invoice-2023-09-0.csv'), 'a,"b');
    const broken = await usage(...args, '--prices', others);
    expect([broken.status, broken.err]).toEqual([1, expect.stringContaining('invoice-2023-09-0.csv is no bill: ')]);
  });

  it('may replace a preliminary one', async () => {
    const { id } = await aCustomer('2023-08');
    const out = folder();
    const args = ['invoice', '--month', '2023-08', '--key', id, '--out', out];
    const { files } = await usageJson(...args);
    const final = (files as string[]).map((file) => readFileSync(file, 'utf8'));
    writeFileSync(files[0], final[0]?.replaceAll(',final,', ',preliminary,').replaceAll(',1,1,', ',0,0,') ?? '');
    writeFileSync(files[1], final[1]?.replace('content="final"', 'content="preliminary"') ?? '');
    await usageJson(...args);
    expect((files as string[]).map((file) => readFileSync(file, 'utf8'))).toEqual(final);
  });

  it.each(['-1', '1.5', '1000', 'x'])('rejects --due-days %s', async (days) => {
    const args = ['usage', 'invoice', '--month', '2023-02', `--due-days=${days}`, '--out', folder()];
    const { status, err } = await runInProcess(service().testDatabase, ...args);
    expect([status, err]).toEqual([1, expect.stringContaining('It must be a whole number from 0 to 999')]);
  });

  it('is followed by a report that says what was pruned instead of 0', async () => {
    await aCustomer('2010-02');
    await runForJson(service().testDatabase, 'usage', 'prune', '--before', '2010-03-01', '--without-archive', '--yes');
    const text = 'All records (1 quota units, 0 credits) were pruned: only their totals are known.';
    const { status, out } = await usage('report', '--month', '2010-02', '--out', folder());
    expect([status, out]).toEqual([0, expect.stringMatching(/: 2 requests\. All records/)]);
    expect(out).toContain(text);
    const report = await usageJson('report', '--month', '2010-02', '--out', folder());
    expect(report).toMatchObject({ requests: 0, pruned: 2, totals: { requests: 2, quota_units: 1, credits: 0 } });
    const page = textOf(report.files[1]);
    expect(page).toContain('Requests 2 Quota units 1 Credits 0');
    expect(page).toContain(text);
    expect(page).toContain('By operation');
  });

  it('keeps a report from before a prune, and writes the sums by operation and key after it', async () => {
    const { id } = await aCustomer('2010-04');
    const out = folder();
    const report = ['report', '--month', '2010-04', '--out', out];
    const { files } = await usageJson(...report);
    const full = readFileSync(files[0], 'utf8');
    expect((await usage(...report)).status).toBe(0);
    await runForJson(service().testDatabase, 'usage', 'prune', '--before', '2010-05-01', '--without-archive', '--yes');
    const refused = await usage(...report);
    expect([refused.status, refused.out]).toEqual([1, '']);
    expect(refused.err).toMatch(/written before records of this month were pruned.*pass --overwrite/);
    expect(readFileSync(files[0], 'utf8')).toBe(full);

    await usageJson(...report, '--overwrite');
    const rows = readFileSync(files[0], 'utf8').trimEnd().split('\n').slice(1);
    expect(rows).toEqual([
      '2010-04,operation,content.get,,1,,,,,,,,,1,0',
      '2010-04,operation,unknown,,1,,,,,,,,,0,0',
      `2010-04,key,${id},Acme,2,,,,,,,,,1,0`,
    ]);
    expect((await usage(...report)).status).toBe(0);
  });
});
