import { describe, expect, it } from '@jest/globals';
import type { SummaryLine } from '../usage/usage-summary.js';
import { createBill, type BilledKey } from './bill.js';
import { formatInvoiceCsv } from './invoice-csv.js';
import { formatAmount, formatDecimal } from './money.js';
import { calendarMonth } from './month.js';
import { parsePriceList } from './price-list.js';

const JANUARY = calendarMonth('2026-01');
const key = (id: string, changes: Partial<BilledKey> = {}): BilledKey => ({
  id,
  name: `name of ${id}`,
  customer: null,
  createdAt: 0,
  endedAt: Infinity,
  ...changes,
});
const used = (id: string, operation: string, requests: number, quota_units: number, credits: number): SummaryLine => ({
  group: [id, operation],
  requests,
  quota_units,
  credits,
});
const prices = (changes: object = {}) => parsePriceList({ currency: 'EUR', rates: {}, ...changes }, 'prices.json');
const amountsOf = (usage: SummaryLine[], changes: object, keys = [key('a')]) =>
  createBill(JANUARY, usage, keys, true, prices(changes)).customers.map(({ lines }) =>
    lines.map(({ item, amount }) => [item, formatDecimal(amount, 'EUR')]),
  );

describe('the customers of a bill', () => {
  const sheets = (keys: BilledKey[], changes: object = {}) => {
    const usage = keys.map(({ id }) => used(id, 'content.get', 1, 0, 0));
    const bill = createBill(JANUARY, usage, keys, true, prices({ rates: { request: '0.333' }, ...changes }));
    return bill.customers.map(({ name, keys: own, gross, billTo }) => [
      name,
      own.map(({ id }) => id),
      formatDecimal(gross, 'EUR'),
      billTo,
    ]);
  };

  it('share one sheet for all their keys, whose lines are rounded each', () => {
    const keys = [key('b', { customer: 'Acme' }), key('c', { customer: 'Zeta' }), key('a', { customer: 'Acme' })];
    expect(sheets(keys)).toEqual([
      ['Acme', ['a', 'b'], '0.66', ['Acme']],
      ['Zeta', ['c'], '0.33', ['Zeta']],
    ]);
  });

  it('include the key that has their name', () => {
    expect(sheets([key('a', { customer: 'Acme' }), key('b', { name: 'Acme' })])).toEqual([
      ['Acme', ['b', 'a'], '0.66', ['Acme']],
    ]);
  });

  it('are the keys themselves without a customer, also where two have one name', () => {
    expect(sheets([key('a', { name: 'Acme' }), key('b', { name: 'Acme' })])).toEqual([
      ['Acme', ['a'], '0.33', ['Acme']],
      ['Acme', ['b'], '0.33', ['Acme']],
    ]);
  });

  it('pay tax once on the sum, and get the bill at the address that any of their keys has', () => {
    const changes = { tax: { name: 'VAT', percent: '10' }, keys: { b: { bill_to: ['Acme GmbH', 'Berlin'] } } };
    const keys = [key('a', { customer: 'Acme' }), key('b', { customer: 'Acme' })];
    expect(sheets(keys, changes)).toEqual([['Acme', ['a', 'b'], '0.73', ['Acme GmbH', 'Berlin']]]);
  });
});

describe('a bill', () => {
  it('charges requests, units and credits', () => {
    const rates = { request: '0.1', unit: '0.02', credit: '0.003' };
    expect(amountsOf([used('a', 'content.get', 10, 20, 1000)], { rates })).toEqual([[['content.get', '4.40']]]);
  });

  it('rounds each line half up, and sums the rounded amounts', () => {
    const usage = [used('a', 'content.get', 1, 0, 0), used('a', 'content.list', 1, 0, 0)];
    const bill = createBill(JANUARY, usage, [key('a')], true, prices({ rates: { request: '0.005' } }));
    expect(bill.customers[0]?.lines.map(({ amount }) => formatDecimal(amount, 'EUR'))).toEqual(['0.01', '0.01']);
    expect(formatDecimal(bill.gross, 'EUR')).toBe('0.02');
    expect(amountsOf([used('a', 'content.get', 1, 0, 0)], { rates: { request: '0.004999999' } })[0]).toEqual([
      ['content.get', '0.00'],
    ]);
  });

  it('is exact where floating-point numbers are not', () => {
    // The product has 21 digits; a float holds 15 to 17.
    const many = 9_007_199_254_740_991;
    expect(amountsOf([used('a', 'content.get', many, 0, 0)], { rates: { request: '999.99' } })[0]).toEqual([
      ['content.get', '9007109182748443590.09'],
    ]);
  });

  it('uses the most specific rate: of key and operation, then of the key, of the operation, and the default', () => {
    const given = {
      rates: { request: '1', unit: '1' },
      operations: { 'games.get': { request: '2' }, 'content.get': { request: '2' } },
      keys: { b: { rates: { request: '3' }, operations: { 'games.get': { request: '4' } } } },
    };
    const usage = ['a', 'b'].flatMap((id) => [
      used(id, 'analysis.get', 1, 0, 0),
      used(id, 'content.get', 1, 0, 0),
      used(id, 'games.get', 1, 10, 0),
    ]);
    expect(amountsOf(usage, given, [key('a'), key('b')])).toEqual([
      [
        ['analysis.get', '1.00'],
        ['content.get', '2.00'],
        ['games.get', '12.00'],
      ],
      [
        ['analysis.get', '3.00'],
        ['content.get', '3.00'],
        ['games.get', '14.00'],
      ],
    ]);
  });

  it('charges the monthly fee of each key that was valid in the month, with or without usage', () => {
    const given = { keys: Object.fromEntries(['a', 'b', 'c'].map((id) => [id, { monthly_fee: '49' }])) };
    const keys = [
      key('a'),
      key('b', { createdAt: JANUARY.lastMs + 1 }),
      key('c', { endedAt: JANUARY.firstMs }),
      key('d'),
    ];
    expect(amountsOf([], given, keys)).toEqual([[['monthly fee', '49.00']]]);
  });

  it('adds tax to the net amount, rounded once per customer', () => {
    const given = { rates: { request: '0.33' }, tax: { name: 'VAT', percent: '7.7' } };
    const bill = createBill(JANUARY, [used('a', 'content.get', 1, 0, 0)], [key('a')], true, prices(given));
    expect(bill.customers[0]?.lines.map(({ item, amount }) => [item, formatDecimal(amount, 'EUR')])).toEqual([
      ['content.get', '0.33'],
      ['VAT 7.7 %', '0.03'],
    ]);
    expect([formatDecimal(bill.net, 'EUR'), formatDecimal(bill.gross, 'EUR')]).toEqual(['0.33', '0.36']);
  });

  it('rounds to the smallest unit of the currency', () => {
    const yen = createBill(
      JANUARY,
      [used('a', 'content.get', 3, 0, 0)],
      [key('a')],
      true,
      prices({ currency: 'JPY', rates: { request: '0.5' } }),
    );
    expect([formatDecimal(yen.gross, 'JPY'), formatAmount(yen.gross, 'JPY')]).toEqual(['2', '¥2']);
  });

  it('lists requests without a valid key free of charge, unless it is the bill of one key', () => {
    const usage = [used('', 'unknown', 7, 0, 0), used('a', 'content.get', 1, 1, 0)];
    const all = createBill(JANUARY, usage, [key('a')], true, prices({ rates: { request: '1' } }));
    expect([all.withoutKey?.requests, all.usage.requests, formatDecimal(all.gross, 'EUR')]).toEqual([7, 8, '1.00']);
    expect(formatInvoiceCsv(all, true)).toContain('2026-01,,,without a valid key,7,0,0,EUR,0.00,preliminary,\n');
    const one = createBill(JANUARY, usage.slice(1), [key('a')], false, null);
    expect([one.withoutKey, one.usage.requests]).toEqual([null, 1]);
  });

  it.each([true, false])('rejects usage of a key that is not stored (all keys: %s)', (includesAllKeys) => {
    const usage = [used('a', 'content.get', 1, 1, 0), used('b', 'content.get', 1, 1, 0)];
    expect(() => createBill(JANUARY, usage, [key('a')], includesAllKeys, null)).toThrow(
      'the invoices of 2026-01 would be incomplete: 1 key with usage is not stored (b): ' +
        'restore the keys from a backup, or write the invoice of a stored key with --key',
    );
  });
});

describe('calendarMonth', () => {
  it.each([
    ['0026-10', 261001, 261031],
    ['2024-02', 20240201, 20240229],
    ['2026-02', 20260201, 20260228],
    ['2026-12', 20261201, 20261231],
  ])('%s spans %d to %d', (text, from, to) => {
    expect(calendarMonth(text)).toMatchObject({ from, to });
  });
});

describe('a price list', () => {
  it.each([
    [{ currency: 'EUR' }, /prices\.json: rates: /],
    [{ currency: 'XXL', rates: {} }, /currency: must be a currency code/],
    [{ currency: 'EUR', rates: { unit: 0.1 } }, /rates\.unit: must be a decimal as text, such as "0\.015"/],
    [{ currency: 'EUR', rates: { unit: '-1' } }, /rates\.unit: must be a decimal/],
    [{ currency: 'EUR', rates: { unit: '1e3' } }, /rates\.unit: must be a decimal/],
    [{ currency: 'EUR', rates: { units: '1' } }, /rates: unknown member units/],
    [{ currency: 'EUR', rates: {}, operations: { 'games.find': {} } }, /operations: unknown member games\.find/],
    [{ currency: 'EUR', rates: {}, tax: { name: 'VAT' } }, /tax\.percent: must be a decimal/],
  ])('%j is rejected with a message that names the invalid member', (value, message) => {
    expect(() => parsePriceList(value, 'prices.json')).toThrow(message);
  });
});
