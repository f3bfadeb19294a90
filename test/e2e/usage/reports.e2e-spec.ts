import { afterEach, describe, expect, it } from '@jest/globals';
import { runInProcess, runForJson } from '../../support/service/command.js';
import { describeService } from '../../support/service/test-service.js';
import { exportedRecords, flushUsage, parseExport } from '../../support/service/usage.js';

const NONE = '/platforms/live_platform/content/none';
const HEADER = 'request_id,occurred_at,key_id,operation,platform,status,quota_units,credits,items_returned,duration_ms';

describeService('usage', (service) => {
  afterEach(() => service().clock.reset());

  const usage = (...args: string[]) => runInProcess(service().testDatabase, 'usage', ...args);

  /** Creates a key with a request at each of these UTC times. @returns its ID, and the IDs of the requests */
  const aKeyUsedAt = async (...times: string[]): Promise<{ id: string; key: string; requests: string[] }> => {
    const { id, key } = await service().newKey();
    const requests: string[] = [];
    for (const time of times) {
      service().clock.stopAt(Date.parse(`${time}Z`));
      requests.push(String((await service().get(NONE, { 'x-api-key': key })).headers['x-request-id']));
    }
    service().clock.reset();
    return { id, key, requests };
  };

  describe('export', () => {
    it('writes CSV by default: a header and one line a record, with nulls as empty fields', async () => {
      const { id, requests } = await aKeyUsedAt('2025-01-10T12:00:00');
      const { status, out, err } = await usage('export', '--from', '2025-01-10', '--to', '2025-01-10', '--key', id);
      expect([status, err]).toEqual([0, '']);
      const [header, line, ...rest] = out.split('\n');
      expect([header, rest]).toEqual([HEADER, ['']]);
      expect(line).toMatch(
        new RegExp(`^${requests[0]},2025-01-10T12:00:00.000Z,${id},content.get,live_platform,404,1,0,0,[\\d.]+$`),
      );
    });

    it('writes only the header for days without records', async () => {
      expect((await usage('export', '--from', '2000-01-01', '--to', '2000-12-31')).out).toBe(`${HEADER}\n`);
    });

    it('writes empty fields for an unknown caller and an unknown path', async () => {
      service().clock.stopAt(Date.parse('2025-01-20T12:00:00Z'));
      const { headers } = await service().get('/no/path', { 'x-api-key': 'wrong' });
      await flushUsage(service());
      const { out } = await usage('export', '--from', '2025-01-20', '--to', '2025-01-20');
      const line = out.split('\n').find((text) => text.startsWith(String(headers['x-request-id'])));
      expect(line).toMatch(/^[\w-]+,2025-01-20T12:00:00\.000Z,,unknown,,403,0,0,0,[\d.]+$/);
    });

    it.each([[['--format', 'ndjson']], [['--json']]])(
      'writes one JSON object a line with %j, the same records as CSV',
      async (format) => {
        const { id } = await aKeyUsedAt('2025-02-01T00:00:00', '2025-02-02T00:00:00');
        const days = ['--from', '2025-02-01', '--to', '2025-02-28', '--key', id];
        const records = parseExport((await usage('export', ...days, ...format)).out);
        const csv = (await usage('export', ...days)).out.trimEnd().split('\n').slice(1);
        expect(records.map((record) => Object.values(record).join(','))).toEqual(csv);
        expect(records).toHaveLength(2);
      },
    );

    it('treats both days as inclusive UTC days', async () => {
      const { id, requests } = await aKeyUsedAt(
        '2025-03-09T23:59:59.999',
        '2025-03-10T00:00:00',
        '2025-03-11T23:59:59.999',
        '2025-03-12T00:00:00',
      );
      const found = async (from: string, to: string) =>
        (await exportedRecords(service(), '--from', from, '--to', to, '--key', id)).map((row) =>
          requests.indexOf(row.request_id),
        );
      expect(await found('2025-03-10', '2025-03-11')).toEqual([1, 2]);
      expect(await found('2025-03-10', '2025-03-10')).toEqual([1]);
      expect(await found('2025-03-09', '2025-03-12')).toEqual([0, 1, 2, 3]);
      expect(await found('2025-03-13', '2025-03-14')).toEqual([]);
    });

    it('writes the oldest record first, whichever process recorded it, and whenever', async () => {
      const other = await service().startSecond();
      try {
        const { id, key } = await service().newKey(10_000);
        for (const time of ['10:00:05', '10:00:01', '10:00:03']) {
          service().clock.stopAt(Date.parse(`2025-04-01T${time}Z`));
          other.clock.stopAt(Date.parse(`2025-04-01T${time}Z`) + 500);
          await Promise.all(
            Array.from({ length: 20 }, (_, nth) => (nth % 2 === 0 ? service() : other).get(NONE, { 'x-api-key': key })),
          );
        }
        service().clock.reset();
        const times = (await exportedRecords(service(), '--from', '2025-04-01', '--to', '2025-04-01', '--key', id)).map(
          (row) => row.occurred_at,
        );
        expect(times).toHaveLength(60);
        expect(times).toEqual(times.toSorted());
      } finally {
        await other.stop();
      }
    });

    it('continues from one internal page to the next', async () => {
      const { id, requests } = await aKeyUsedAt(
        ...Array.from(
          { length: 205 },
          (_, nth) => `2025-05-0${1 + (nth % 3)}T00:00:00.${String(nth).padStart(3, '0')}`,
        ),
      );
      const rows = await exportedRecords(service(), '--from', '2025-05-01', '--to', '2025-05-03', '--key', id);
      expect(rows).toHaveLength(205);
      expect(new Set(rows.map((row) => row.request_id))).toEqual(new Set(requests));
    });

    it('writes only the records of the key given by --key', async () => {
      const [one, two] = [await aKeyUsedAt('2025-06-01T00:00:00'), await aKeyUsedAt('2025-06-01T00:00:00')];
      const rows = await exportedRecords(service(), '--from', '2025-06-01', '--to', '2025-06-01', '--key', two.id);
      expect(rows.map((row) => row.request_id)).toEqual(two.requests);
      expect(await exportedRecords(service(), '--from', '2025-06-01', '--to', '2025-06-01')).toHaveLength(
        one.requests.length + two.requests.length,
      );
    });
  });

  describe('summary', () => {
    /** Creates two keys and an unknown caller with requests in one month. */
    const aMonth = async (month: string) => {
      const [a, b] = [
        await aKeyUsedAt(`${month}-01T00:00:00`, `${month}-02T00:00:00`),
        await aKeyUsedAt(`${month}-02T12:00:00`),
      ];
      service().clock.stopAt(Date.parse(`${month}-02T13:00:00Z`));
      await service().get('/platforms/live_platform/profiles/none/analysis', { 'x-api-key': b.key });
      await service().get(NONE, { 'x-api-key': 'wrong' });
      service().clock.reset();
      await flushUsage(service());
      return { a: a.id, b: b.id, days: ['--from', `${month}-01`, '--to', `${month}-28`] };
    };

    it('sums up by key, including requests without a valid one', async () => {
      const { a, b, days } = await aMonth('2025-07');
      const { lines, totals } = await runForJson(service().testDatabase, 'usage', 'summary', ...days);
      expect(lines).toEqual(
        expect.arrayContaining([
          { key: null, key_name: null, requests: 1, quota_units: 0, credits: 0 },
          { key: a, key_name: 'a test', requests: 2, quota_units: 2, credits: 0 },
          { key: b, key_name: 'a test', requests: 2, quota_units: 101, credits: 0 },
        ]),
      );
      expect([lines.length, totals]).toEqual([3, { requests: 5, quota_units: 103, credits: 0 }]);
    });

    it('sums up by day', async () => {
      const { days } = await aMonth('2025-08');
      expect((await runForJson(service().testDatabase, 'usage', 'summary', ...days, '--by', 'day')).lines).toEqual([
        { day: '2025-08-01', requests: 1, quota_units: 1, credits: 0 },
        { day: '2025-08-02', requests: 4, quota_units: 102, credits: 0 },
      ]);
    });

    it('sums up by operation', async () => {
      const { days } = await aMonth('2025-09');
      expect(
        (await runForJson(service().testDatabase, 'usage', 'summary', ...days, '--by', 'operation')).lines,
      ).toEqual([
        { operation: 'analysis.get', requests: 1, quota_units: 100, credits: 0 },
        { operation: 'content.get', requests: 4, quota_units: 3, credits: 0 },
      ]);
    });

    it('treats both days as inclusive', async () => {
      await aMonth('2025-10');
      const requests = async (from: string, to: string) =>
        (await runForJson(service().testDatabase, 'usage', 'summary', '--from', from, '--to', to)).totals.requests;
      expect(await requests('2025-10-01', '2025-10-02')).toBe(5);
      expect(await requests('2025-10-01', '2025-10-01')).toBe(1);
      expect(await requests('2025-10-02', '2025-10-02')).toBe(4);
    });

    it('prints a table with a line of totals by default', async () => {
      const { a, days } = await aMonth('2025-11');
      const { status, out } = await usage('summary', ...days);
      const lines = out.trimEnd().split('\n');
      expect([status, lines.length]).toEqual([0, 5]);
      expect(lines[0]).toMatch(/^KEY +NAME +REQUESTS +UNITS +CREDITS$/);
      expect(lines.find((line) => line.startsWith(a))).toMatch(/ a test +2 +2 +0$/);
      expect(lines.find((line) => line.startsWith('(no valid key)'))).toMatch(/ 1 +0 +0$/);
      expect(lines.at(-1)).toMatch(/^TOTAL +5 +103 +0$/);
    });

    it('sums up by two dimensions in their given order, as JSON and as CSV', async () => {
      const { a, b } = await aMonth('2026-02');
      await aMonth('2026-03');
      const days = ['--from', '2026-02-01', '--to', '2026-03-31', '--by', 'month,operation'];
      const both = (month: string) => [
        { month, operation: 'analysis.get', requests: 1, quota_units: 100, credits: 0 },
        { month, operation: 'content.get', requests: 4, quota_units: 3, credits: 0 },
      ];
      const { lines } = await runForJson(service().testDatabase, 'usage', 'summary', ...days);
      expect(lines).toEqual([...both('2026-02'), ...both('2026-03')]);

      const { out } = await usage('summary', '--month', '2026-02', '--by', 'key,day', '--format', 'csv');
      const rows = out.trimEnd().split('\n');
      expect(rows[0]).toBe('key,key_name,day,requests,quota_units,credits');
      expect(rows.slice(1).toSorted()).toEqual(
        [
          ',,2026-02-02,1,0,0',
          `${a},a test,2026-02-01,1,1,0`,
          `${a},a test,2026-02-02,1,1,0`,
          `${b},a test,2026-02-02,2,101,0`,
        ].toSorted(),
      );
    });

    it('has totals of 0 for days without requests', async () => {
      const nothing = await runForJson(
        service().testDatabase,
        'usage',
        'summary',
        '--from',
        '2000-01-01',
        '--to',
        '2000-01-02',
      );
      expect(nothing).toEqual({ lines: [], totals: { requests: 0, quota_units: 0, credits: 0 } });
    });
  });

  describe('prune', () => {
    it('deletes the records before a day and keeps that day; summaries and GET /usage still include the deleted usage', async () => {
      const { id, key, requests } = await aKeyUsedAt(
        '2024-01-09T12:00:00',
        '2024-01-10T23:59:59.999',
        '2024-01-11T00:00:00',
      );
      const days = ['--from', '2024-01-01', '--to', '2024-01-31'];
      const totals = async () => [
        (await runForJson(service().testDatabase, 'usage', 'summary', ...days)).totals,
        (await service().get('/usage?start_date=2024-01-01&end_date=2024-01-31', { 'x-api-key': key })).body.payload,
      ];
      const before = await totals();
      const { status, out } = await usage('prune', '--before', '2024-01-11', '--without-archive', '--yes', '--json');
      expect([status, JSON.parse(out)]).toEqual([
        0,
        {
          before: '2024-01-11',
          dry_run: false,
          groups_deleted: 2,
          records_deleted: 2,
          first_day: '2024-01-09',
          last_day: '2024-01-10',
        },
      ]);
      expect((await exportedRecords(service(), ...days, '--key', id)).map((row) => row.request_id)).toEqual([
        requests[2],
      ]);
      expect(await totals()).toEqual(before);
      const warning =
        /^Warning: the records of 2 days with usage \(2024-01-09 to 2024-01-10\) were pruned.*archives.*\n$/;
      expect((await usage('export', ...days, '--key', id)).err).toMatch(warning);
      expect((await usage('export', '--from', '2024-01-11', '--to', '2024-01-31', '--key', id)).err).toBe('');
      const again = ['usage', 'prune', '--before', '2024-01-11', '--without-archive'];
      expect(await runForJson(service().testDatabase, ...again)).toMatchObject({ groups_deleted: 0 });
    });
  });

  describe('rejects with status 1', () => {
    it.each([
      ['export', ['--to', '2026-01-01'], /--from/],
      ['export', ['--from', '2026-01-01'], /--to/],
      ['summary', ['--from', '2026-01-01', '--month', '2026-01'], /either --month, or --from and --to/],
      ['export', ['--from', '1999-12-31', '--to', '2026-01-01'], /It is before the year 2000/],
      ['summary', ['--from', '0026-01-01', '--to', '2026-01-01'], /It is before the year 2000/],
      ['export', ['--from', '2026-02-30', '--to', '2026-03-01'], /YYYY-MM-DD/],
      ['export', ['--from', '2026-01-01', '--to', '2026-01-01', '--format', 'xml'], /csv, ndjson/],
      ['export', ['--from', '2026-01-01', '--to', '2026-01-01', '--key', 'key_nobody'], /no key key_nobody.*keys list/],
      ['export', ['--from', '2026-02-01', '--to', '2026-01-31'], /2026-02-01 is later than --to 2026-01-31/],
      ['summary', ['--from', '2026-02-01', '--to', '2026-01-31'], /2026-02-01 is later than --to 2026-01-31/],
      ['summary', ['--from', '2026-01-01', '--to', '2026-01-01', '--by', 'week'], /key, day, month, operation/],
      ['summary', ['--from', '2026-01-01', '--to', '2026-01-01', '--by', 'key,day,month'], /one or two of/],
      ['summary', ['--from', '2026-01-01', '--to', '2026-01-01', '--by', 'key,key'], /one or two of/],
      ['find', ['123'], /must be a UUID, the X-Request-Id of a response/],
      ['prune', [], /--before/],
      ['prune', ['--before', '0026-01-01'], /It is before the year 2000/],
      ['prune', ['--before', 'yesterday'], /YYYY-MM-DD/],
    ])('usage %s %j', async (name, args, message) => {
      const { status, out, err } = await usage(name, ...args);
      expect([status, out]).toEqual([1, '']);
      expect(err).toMatch(message);
    });
  });
});
