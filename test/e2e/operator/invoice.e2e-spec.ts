import { existsSync, linkSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from '@jest/globals';
import { chromium } from 'playwright-core';
import { ApiKeyEntity } from '../../../src/features/auth/api-key.entity.js';
import { readConfig } from '../../../src/model/config.js';
import { openDatabase } from '../../../src/schema/open-database.js';
import { uniqueId } from '../../support/records/builders.js';
import { CHROMIUM, CHROMIUM_ARGUMENTS } from '../../support/browser/chromium.js';
import { runInProcess } from '../../support/service/command.js';
import { runBuiltCommand } from '../../support/process/processes.js';
import { describeService } from '../../support/service/test-service.js';
import { exportedRecords, flushUsage, type UsageRow } from '../../support/service/usage.js';

const NAME = '<script>"Müller" & Söhne, GmbH</script>';

type Row = Record<'month' | 'key_id' | 'customer' | 'item' | 'currency' | 'amount', string> &
  Record<'requests' | 'quota_units' | 'credits', number>;

/** Parses a CSV file whose fields may be quoted. */
function rowsOf(text: string): Row[] {
  const [head = [], ...rows] = text
    .trimEnd()
    .split('\n')
    .map((line) =>
      Array.from(
        line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g),
        ([, quoted, bare]) => quoted?.replaceAll('""', '"') ?? bare ?? '',
      ),
    );
  return rows.map((row) => {
    const all = Object.fromEntries(head.map((name, column) => [name, row[column] ?? '']));
    return {
      ...all,
      requests: Number(all.requests),
      quota_units: Number(all.quota_units),
      credits: Number(all.credits),
    } as Row;
  });
}

const sumOf = (rows: readonly Pick<Row, 'requests' | 'quota_units' | 'credits'>[]) => ({
  requests: rows.reduce((sum, { requests }) => sum + requests, 0),
  quota_units: rows.reduce((sum, { quota_units }) => sum + quota_units, 0),
  credits: rows.reduce((sum, { credits }) => sum + credits, 0),
});

const sumOfRecords = (rows: readonly UsageRow[]) => sumOf(rows.map((row) => ({ ...row, requests: 1 })));

describeService('the invoice of a month', (service) => {
  afterEach(() => service().clock.reset());
  const settings = () => ({ DATABASE_URL: service().testDatabase.url, DATA_DIR: service().testDatabase.folder });
  const run = (...args: string[]) => runBuiltCommand(['usage', ...args], settings());
  // Jest cannot load the library that draws charts, so only an invoice that is not written is tried in this process.
  const runRejected = (...args: string[]) => runInProcess(service().testDatabase, 'usage', 'invoice', ...args);
  /** @returns the `--json` output of a command */
  const usageJson = async (...args: string[]) => {
    const { status, out: printed, err } = await run(...args, '--json');
    expect([status, err]).toEqual([0, '']);
    return JSON.parse(printed);
  };
  const out = () => join(service().testDatabase.folder, `out-${uniqueId()}`);
  const pricesFile = (value: object): string => {
    const file = join(service().testDatabase.folder, `prices-${uniqueId()}.json`);
    writeFileSync(file, JSON.stringify(value));
    return file;
  };

  /**
   * Creates two customers and a wrong key with requests at the first and last instants of a month, and just outside it.
   */
  const aMonth = async (month: string, before: string, after: string) => {
    const [a, b] = [await service().keys.create(NAME, 1000), await service().keys.create('=1+1', 1000)];
    const get = async (time: string, path: string, key: string) => {
      service().clock.stopAt(Date.parse(time));
      await service().get(path, { 'x-api-key': key });
    };
    for (const { key } of [a, b]) {
      await get(`${before}T23:59:59.999Z`, '/platforms/live_platform/content/none', key);
      await get(`${month}-01T00:00:00Z`, '/platforms/live_platform/content/none', key);
      await get(`${month}-15T12:00:00Z`, '/platforms/live_platform/content?limit=7', key);
      await get(`${month}-28T23:59:59.999Z`, '/games/search?query=x&limit=3', key);
      await get(`${after}T00:00:00Z`, '/platforms/live_platform/content/none', key);
    }
    await get(`${month}-15T12:00:00Z`, '/platforms/live_platform/profiles/none/analysis', b.key);
    await get(`${month}-15T12:00:00Z`, '/usage', 'wrong');
    service().clock.reset();
    await flushUsage(service());
    return { a, b };
  };

  it('equals, to the unit, the sum of the exported records', async () => {
    await aMonth('2025-02', '2025-01-31', '2025-03-01');
    const folder = out();
    const { files, totals } = await usageJson('invoice', '--month', '2025-02', '--out', folder);
    expect(files).toEqual([join(folder, 'invoice-2025-02.csv'), join(folder, 'invoice-2025-02.html')]);
    const records = await exportedRecords(service(), '--from', '2025-02-01', '--to', '2025-02-28');
    expect(records).toHaveLength(8);
    expect(totals).toEqual(sumOfRecords(records));
    const rows = rowsOf(readFileSync(files[0], 'utf8'));
    expect(sumOf(rows)).toEqual(sumOfRecords(records));
    for (const id of new Set(records.map(({ key_id }) => key_id))) {
      const own = rows.filter(({ key_id }) => key_id === (id ?? ''));
      expect([id, sumOf(own)]).toEqual([id, sumOfRecords(records.filter(({ key_id }) => key_id === id))]);
    }
    const page = readFileSync(files[1], 'utf8');
    for (const sum of Object.values(sumOfRecords(records)))
      expect(page).toContain(`<dd>${sum.toLocaleString('en')}</dd>`);
  });

  it('does not replace the price list', async () => {
    const prices = pricesFile({ currency: 'EUR', rates: { unit: '0.015' } });
    const text = readFileSync(prices, 'utf8');
    for (const name of ['invoice-2025-01.html', 'invoice-2025-01.csv.part']) {
      const folder = out();
      mkdirSync(folder);
      linkSync(prices, join(folder, name));
      const { status, err } = await runRejected('--month', '2025-01', '--prices', prices, '--out', folder);
      expect([status, err]).toEqual([
        1,
        `${join(folder, name)} is the price list, but --out would overwrite it: name another --out\n`,
      ]);
    }
    expect(readFileSync(prices, 'utf8')).toBe(text);
  });

  it('prices a customer: lines, fee and tax add up to the total, on the page and in the CSV', async () => {
    const { a } = await aMonth('2025-06', '2025-05-31', '2025-07-01');
    const prices = pricesFile({
      currency: 'EUR',
      rates: { unit: '0.015' },
      keys: { [a.id]: { bill_to: ['Müller & Söhne', 'Berlin'] } },
      tax: { name: 'VAT', percent: '19' },
    });
    const { files, totals } = await usageJson(
      'invoice',
      '--month',
      '2025-06',
      '--prices',
      prices,
      '--key',
      a.id,
      '--out',
      out(),
    );
    // 1, 7 and 3 units; 0.015, 0.105 and 0.045 are each rounded.
    expect(totals).toMatchObject({ requests: 3, quota_units: 11, currency: 'EUR', net: '0.18', gross: '0.21' });
    const rows = rowsOf(readFileSync(files[0], 'utf8'));
    expect(rows.map(({ key_id, customer, item, amount }) => [key_id, customer, item, amount])).toEqual([
      [a.id, NAME, 'content.get', '0.02'],
      [a.id, NAME, 'content.list', '0.11'],
      [a.id, NAME, 'games.search', '0.05'],
      [a.id, NAME, 'VAT 19 %', '0.03'],
    ]);
    const page = readFileSync(files[1], 'utf8');
    expect(page).toContain('€0.21');
    expect(page).toContain('Müller &#38; Söhne<br');
  });

  it('escapes names, so that they are neither formulas in a spreadsheet nor markup on the page', async () => {
    await aMonth('2025-08', '2025-07-31', '2025-09-01');
    const { files } = await usageJson('invoice', '--month', '2025-08', '--out', out());
    expect(rowsOf(readFileSync(files[0], 'utf8')).some(({ customer }) => customer === "'=1+1")).toBe(true);
    expect(readFileSync(files[1], 'utf8')).not.toContain('<script');
  });

  if (CHROMIUM !== null) {
    it('is a page without requests or scripts that fits a phone, from the built program', async () => {
      await aMonth('2025-10', '2025-09-30', '2025-11-01');
      const folder = out();
      for (const name of ['invoice', 'report']) {
        const written = await run(name, '--month', '2025-10', '--out', folder);
        expect([written.status, written.err]).toEqual([0, '']);
        const browser = await chromium.launch({ executablePath: CHROMIUM ?? '', args: CHROMIUM_ARGUMENTS });
        try {
          const page = await browser.newPage({ viewport: { width: 390, height: 800 } });
          const requested: string[] = [];
          const logged: string[] = [];
          page.on('request', (request) => requested.push(request.url()));
          page.on('console', (message) => logged.push(message.text()));
          const url = `file://${join(folder, `${name}-2025-10.html`)}`;
          await page.goto(url);
          expect([requested, logged]).toEqual([[url], []]);
          expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
          expect(await page.locator('svg:visible').count()).toBeGreaterThan(1);
          expect((await page.pdf()).length).toBeGreaterThan(10_000);
        } finally {
          await browser.close();
        }
      }
    });
  }

  it('exists for a month without requests, with zeros', async () => {
    const folder = out();
    const { status, out: printed, err } = await run('invoice', '--month', '2001-01', '--out', folder, '--json');
    expect([status, err]).toEqual([0, '2001-01 has no billed requests\n']);
    const { files, totals } = JSON.parse(printed);
    expect(totals).toEqual({ requests: 0, quota_units: 0, credits: 0 });
    expect(readFileSync(files[0], 'utf8').split('\n')).toHaveLength(2);
    expect(existsSync(files[1])).toBe(true);
  });

  it('is rejected, and the report warns, if a key with usage is not stored', async () => {
    const { a, b } = await aMonth('2025-04', '2025-03-31', '2025-05-01');
    const opened = await openDatabase(readConfig({ DATABASE_URL: service().testDatabase.url }).database);
    await opened.dataSource.getRepository(ApiKeyEntity).delete({ id: b.id });
    await opened.close();
    const folder = out();
    const { status, out: printed, err } = await runRejected('--month', '2025-04', '--out', folder);
    expect([status, printed, existsSync(folder)]).toEqual([1, '', false]);
    expect(err).toBe(
      `the invoices of 2025-04 would be incomplete: 1 key with usage is not stored (${b.id}): ` +
        'restore the keys from a backup, or write the invoice of a stored key with --key\n',
    );
    const one = await usageJson('invoice', '--month', '2025-04', '--key', a.id, '--out', folder);
    expect(one.totals.requests).toBe(3);

    const report = await usageJson('report', '--month', '2025-04', '--out', folder);
    expect(report.missing_keys).toEqual([b.id]);
    expect(readFileSync(report.files[1], 'utf8')).toContain(`1 key with usage is not stored (${b.id}).`);
    const doctor = await runInProcess(service().testDatabase, 'doctor', '--json');
    expect(JSON.parse(doctor.out).checks).toContainEqual({
      name: 'usage',
      state: 'warning',
      message: `1 key with usage is not stored (${b.id}), so it cannot be billed: restore the keys from a backup`,
    });
  });

  it.each([
    ['a month in the future', () => ['--month', '2999-01', '--out', 'x'], /2999-01.*in the future/],
    ['a month before 2000', () => ['--month', '0026-10', '--out', 'x'], /0026-10.*It is before the year 2000/],
    ['an invalid month', () => ['--month', '2025-13', '--out', 'x'], /must be a month, YYYY-MM/],
    ['an unknown key', () => ['--month', '2025-01', '--key', 'key_nobody', '--out', 'x'], /there is no key key_nobody/],
    [
      'no file of prices',
      () => ['--month', '2025-01', '--prices', '/nowhere', '--out', 'x'],
      /\/nowhere does not exist/,
    ],
    [
      'prices for an unknown key',
      () => [
        '--month',
        '2025-01',
        '--prices',
        pricesFile({ currency: 'EUR', rates: {}, keys: { key_x: {} } }),
        '--out',
        'x',
      ],
      /there is no key "key_x"/,
    ],
    [
      'a price that is a float',
      () => ['--month', '2025-01', '--prices', pricesFile({ currency: 'EUR', rates: { unit: 0.1 } }), '--out', 'x'],
      /rates\.unit: must be a decimal as text/,
    ],
    ['prices in a folder', () => ['--month', '2025-01', '--prices', '/tmp', '--out', 'x'], /\/tmp is a folder/],
  ])('rejects %s with status 1', async (_, args, message) => {
    const { status, out: printed, err } = await runRejected(...args());
    expect([status, printed]).toEqual([1, '']);
    expect(err).toMatch(message);
    expect(existsSync('x')).toBe(false);
  });

  it('rejects a folder that is a file with status 1', async () => {
    const { status, out: printed, err } = await run('invoice', '--month', '2025-01', '--out', pricesFile({}));
    expect([status, printed, err]).toEqual([1, '', expect.stringMatching(/exists and is not a folder/)]);
  });

  it('reports how requests were answered, how fast, and what was pruned', async () => {
    const { b } = await aMonth('2024-02', '2024-01-31', '2024-03-01');
    const report = () => usageJson('report', '--month', '2024-02', '--out', out());
    const month = await report();
    const records = await exportedRecords(service(), '--from', '2024-02-01', '--to', '2024-02-29');
    const { requests, quota_units, credits } = sumOfRecords(records);
    expect(month).toMatchObject({ requests, quota_units, credits, pruned: 0 });
    expect(month.outcomes).toEqual({ answered: 4, 'not found': 3, refused: 1, limited: 0, failed: 0 });
    const durations = records.map(({ duration_ms }) => duration_ms).toSorted((x, y) => x - y);
    expect(month.duration_ms.p99 / (durations.at(-1) ?? 0)).toBeCloseTo(1, 2);
    expect(month.duration_ms.p50 / (durations[3] ?? 0)).toBeCloseTo(1, 2);
    const lines = readFileSync(month.files[0], 'utf8').split('\n');
    expect(lines.find((line) => line.startsWith(`2024-02,key,${b.id},`))).toMatch(/,'=1\+1,4,2,2,0,0,0,/);

    await runInProcess(
      service().testDatabase,
      'usage',
      'prune',
      '--before',
      '2024-02-15',
      '--without-archive',
      '--yes',
    );
    expect(await report()).toMatchObject({ requests: 6, pruned: 2 });
  });
});
