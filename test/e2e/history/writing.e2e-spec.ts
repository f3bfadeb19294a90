import { describe, expect, it } from '@jest/globals';
import type { ImportKind } from '../../../src/operator/import/parse-line.js';
import { historyLine, observed, pointsOf } from '../../support/history.js';
import { uniqueId } from '../../support/records/builders.js';
import { describeService } from '../../support/service/test-service.js';
import { ingestInto, toNdjson } from '../../support/sources/sources.js';
import { withoutSqlCheck } from '../../support/sql/sql-list.js';

/** Returns all orders of the items. */
function ordersOf<T>(items: readonly T[]): T[][] {
  if (items.length < 2) return [[...items]];
  return items.flatMap((first, nth) =>
    ordersOf(items.filter((_, other) => other !== nth)).map((rest) => [first, ...rest]),
  );
}

describeService('one observation a profile and UTC day', (service) => {
  const points = (id: string, year?: string) => pointsOf(service(), id, year);
  const rowsOf = async (id: string): Promise<number> => {
    const sql = 'SELECT 1 FROM profile_history WHERE profile_id = ?';
    return (await withoutSqlCheck(() => service().database.all({ sql }, [id], { source: 'primary' }))).length;
  };
  const now = (id: string) =>
    service()
      .get(`/platforms/live_platform/profiles/${id}`)
      .then(({ body }) => body.payload.statistics.followers as number);

  describe('import profiles', () => {
    const VERSIONS = [
      ['2026-01-30T23:59:59.999Z', 1],
      ['2026-01-31T00:00:00.000Z', 2],
      ['2026-01-31T12:00:00.000Z', 3],
      ['2026-02-01T00:00:00.000Z', 4],
    ] as const;
    const EXPECTED = ['2026-01-30 1 null', '2026-01-31 3 null', '2026-02-01 4 null'];

    it('the latest of a day wins in whatever order they come, in one file', async () => {
      for (const order of ordersOf(VERSIONS)) {
        const id = uniqueId();
        await service().load('profiles', ...order.map(([at, followers]) => observed(id, at, followers)));
        expect([order, await points(id)]).toEqual([order, EXPECTED]);
        expect(await now(id)).toBe(order.at(-1)?.[1]);
      }
    });

    it('and in a file each', async () => {
      for (const order of ordersOf(VERSIONS).filter((_, nth) => nth % 5 === 0)) {
        const id = uniqueId();
        for (const [at, followers] of order) await service().load('profiles', observed(id, at, followers));
        expect([order, await points(id)]).toEqual([order, EXPECTED]);
      }
    });

    it('of two at the same time, the one that was loaded last', async () => {
      const id = uniqueId();
      const at = '2026-01-31T09:30:00.000Z';
      await service().load('profiles', observed(id, at, 1, 10), observed(id, at, 2));
      expect(await points(id)).toEqual(['2026-01-31 2 null']);
      await service().load('profiles', observed(id, at, 1, 10));
      expect(await points(id)).toEqual(['2026-01-31 1 10']);
    });

    it('the day is that of UTC, whatever zone the line is in', async () => {
      const id = uniqueId();
      await service().load(
        'profiles',
        observed(id, '2026-01-31T23:30:00-02:00', 1),
        observed(id, '2026-01-31T01:00:00+02:00', 2),
        observed(id, '2026-01-31T12:00:00+14:00', 3),
      );
      expect(await points(id)).toEqual(['2026-01-30 2 null', '2026-02-01 1 null']);
      const newYear = uniqueId();
      await service().load('profiles', observed(newYear, '2025-12-31T23:00:00-01:00', 5));
      expect([await points(newYear, '2025'), await points(newYear)]).toEqual([[], ['2026-01-01 5 null']]);
    });

    it('a leap day is a day of its own', async () => {
      const id = uniqueId();
      const days = ['2024-02-28T23:59:59.999Z', '2024-02-29T00:00:00.000Z', '2024-03-01T00:00:00.000Z'];
      await service().load('profiles', ...days.map((at, nth) => observed(id, at, nth)));
      expect(await points(id, '2024')).toEqual(['2024-02-28 0 null', '2024-02-29 1 null', '2024-03-01 2 null']);
    });

    it('a profile without updated_at or without statistics observes nothing', async () => {
      const id = uniqueId();
      const [at, later] = ['2026-01-31T09:30:00.000Z', '2026-01-31T10:30:00.000Z'];
      await service().load('profiles', observed(id, null, 1), observed(id, at, 2, 3), observed(id, later, null));
      expect(await points(id)).toEqual(['2026-01-31 2 3']);
    });

    it('the same file again is no growth', async () => {
      const id = uniqueId();
      const lines = VERSIONS.map(([at, followers]) => observed(id, at, followers));
      await service().load('profiles', ...lines);
      const before = [await points(id), await rowsOf(id)];
      await service().load('profiles', ...lines);
      expect([await points(id), await rowsOf(id)]).toEqual(before);
      // Of several versions in a file, the one that the profile holds is stored, too.
      expect(before[1]).toBe(3);
    });

    it('counts are exact up to 2^53 - 1', async () => {
      const id = uniqueId();
      const most = Number.MAX_SAFE_INTEGER;
      await service().load('profiles', observed(id, '2026-01-31T09:30:00.000Z', most, -most));
      expect(await points(id)).toEqual([`2026-01-31 ${most} ${-most}`]);
    });

    it('more profiles than fit into a statement, each with several versions', async () => {
      const first = uniqueId();
      const ids = Array.from({ length: 1500 }, (_, nth) => `${first}-${nth}`);
      const lines = [3, 1, 2].flatMap((hour) =>
        ids.map((id, nth) => observed(id, `2026-01-31T0${hour}:00:00.000Z`, hour * 10_000 + nth)),
      );
      await service().load('profiles', ...lines);
      for (const nth of [0, 1, 1023, 1024, 1499]) {
        expect(await points(ids[nth] ?? '')).toEqual([`2026-01-31 ${30_000 + nth} null`]);
      }
    });
  });

  it('several writers at once: the latest of the day wins', async () => {
    const ids = Array.from({ length: 50 }, () => uniqueId());
    const hours = Array.from({ length: 8 }, (_, hour) => hour);
    const second = await service().startSecond();
    try {
      await Promise.all(
        hours.map((hour) => {
          const at = `2026-01-31T${String(hour).padStart(2, '0')}:00:00.000Z`;
          const lines = ids.map((id) => observed(id, at, hour));
          return (hour % 2 === 0 ? service() : second).load(
            'profiles',
            ...(hour % 3 === 0 ? lines : lines.toReversed()),
          );
        }),
      );
    } finally {
      await second.stop();
    }
    for (const id of ids) {
      expect(await points(id)).toEqual(['2026-01-31 7 null']);
      // None if the writers happened to come in the order of their times: the profile itself holds the latest.
      const possible = (await now(id)) === 7 ? [0, 1] : [1];
      expect(possible).toContain(await rowsOf(id));
    }
  });

  describe('import history', () => {
    it('counts as the end of its day, before and after profiles', async () => {
      const [id, other] = [uniqueId(), uniqueId()];
      const profile = (each: string) => observed(each, '2026-01-31T23:59:59.998Z', 1, 10);
      await service().load('history', historyLine(id, '2026-01-31', 2));
      await service().load('profiles', profile(id), profile(other));
      await service().load('history', historyLine(other, '2026-01-31', 2));
      expect([await points(id), await points(other)]).toEqual([['2026-01-31 2 null'], ['2026-01-31 2 null']]);
    });

    it('the last of several lines for a day wins, within a file and over files; the same again is no growth', async () => {
      const id = uniqueId();
      await service().load('profiles', observed(id, null, 1));
      const lines = [
        historyLine(id, '2026-01-02', 1, { views_estimated: 5 }),
        historyLine(id, '2026-01-01', 2),
        historyLine(id, '2026-01-02', 3),
      ];
      for (let times = 0; times < 2; times++) {
        await service().load('history', ...lines);
        expect([await points(id), await rowsOf(id)]).toEqual([['2026-01-01 2 null', '2026-01-02 3 null'], 2]);
      }
      await service().load('history', historyLine(id, '2026-01-01', 9));
      expect(await points(id)).toEqual(['2026-01-01 9 null', '2026-01-02 3 null']);
    });

    it('the latest of several lines for a day wins, wherever it is in the file', async () => {
      const id = uniqueId();
      await service().load('profiles', observed(id, null, 1));
      const at = (hour: number) => ({ observed_at: `2026-01-31T${hour}:00:00.000Z` });
      await service().load('history', ...[12, 14, 10].map((hour) => historyLine(id, '2026-01-31', hour, at(hour))));
      expect([await points(id), await rowsOf(id)]).toEqual([['2026-01-31 14 null'], 1]);
    });

    it('does not change the profile', async () => {
      const id = uniqueId();
      await service().load('profiles', observed(id, '2026-01-01T00:00:00.000Z', 1));
      await service().load('history', historyLine(id, '2026-01-31', 2));
      expect(await now(id)).toBe(1);
    });

    it('a bad line is skipped, counted and named with its reason; the rest loads', async () => {
      const id = uniqueId();
      await service().load('profiles', observed(id, null, 1));
      const good = historyLine(id, '2026-01-31', 1);
      const bad: [unknown, string][] = [
        ['x', 'not JSON'],
        [{ ...good, date: '2026-02-30' }, 'date must be a calendar date such as 2026-01-31'],
        [{ ...good, date: undefined }, 'date is missing'],
        [{ ...good, followers: 1.5 }, 'followers must be an integer from -(2^53 - 1) to 2^53 - 1'],
        [{ ...good, followers: null }, 'followers and views_estimated are both missing'],
        [{ ...good, platform_id: 'radio' }, expect.stringMatching(/^platform_id must be one of/) as unknown as string],
        [{ ...good, profile_id: '' }, 'profile_id must not be empty'],
        [{ ...good, growth: 1 }, 'unknown member: growth'],
      ];
      const lines = bad.map(([line]) => (typeof line === 'string' ? line : JSON.stringify(line)));
      const { outcome, rejected } = await service().loadLines('history', [...lines, JSON.stringify(good)]);
      expect(outcome).toEqual({ lines: 9, loaded: 1, rejected: 8 });
      expect(rejected.map(({ reason }) => reason)).toEqual(bad.map(([, reason]) => reason));
      expect(await points(id)).toEqual(['2026-01-31 1 null']);
      await expect(service().loadLines('history', [JSON.stringify(good), 'x'], true)).rejects.toThrow(
        'line 2: not JSON',
      );
    });

    it.each<[ImportKind, object]>([
      ['history', observed('1', null, 1)],
      ['profiles', historyLine('1', '2026-01-31', 1)],
    ])('a file of another kind is refused: %s', async (kind, line) => {
      await expect(service().loadLines(kind, [JSON.stringify(line)])).rejects.toThrow(/this is a file of/);
    });
  });

  describe('ingest', () => {
    const fragment = (id: string, observedAt: string | null, statistics: object, known: object = {}) => ({
      plain: [{ kind: 'profile', platform: 'live_platform', id, observedAt, known: { ...known, statistics } }],
    });
    const ingest = (...documents: readonly object[]) =>
      ingestInto(service().database, { 'a.ndjson': toNdjson(...documents) });
    const DAYS = [
      ['2026-01-30T10:00:00.000Z', { followers: 1, views_estimated: 10 }],
      ['2026-01-31T10:00:00.000Z', { followers: 2 }],
      ['2026-01-31T11:00:00.000Z', { followers: 3 }],
      ['2026-02-01T10:00:00.000Z', { views_estimated: 40 }],
    ] as const;

    it('writes each observed day, in whatever order the responses come in a run', async () => {
      for (const order of ordersOf(DAYS).filter((_, nth) => nth % 5 === 0)) {
        const id = uniqueId();
        await ingest(...order.map(([at, statistics]) => fragment(id, at, statistics)));
        expect(await points(id)).toEqual(['2026-01-30 1 10', '2026-01-31 3 10', '2026-02-01 3 40']);
      }
    });

    it('writes the same in a run each', async () => {
      const id = uniqueId();
      for (const [at, statistics] of DAYS) await ingest(fragment(id, at, statistics));
      expect(await points(id)).toEqual(['2026-01-30 1 10', '2026-01-31 3 10', '2026-02-01 3 40']);
      expect(await now(id)).toBe(3);
    });

    it('a late response adds its own day, and never what was observed after it', async () => {
      const id = uniqueId();
      await ingest(fragment(id, '2026-01-31T10:00:00.000Z', { followers: 5, views_estimated: 50 }));
      await ingest(fragment(id, '2026-01-29T10:00:00.000Z', { followers: 3 }));
      await ingest(fragment(id, '2026-01-31T09:00:00.000Z', { followers: 4 }));
      expect(await points(id)).toEqual(['2026-01-29 3 null', '2026-01-31 5 50']);
      expect(await now(id)).toBe(5);
    });

    it('a response without a time, and one that knows nothing, add no day', async () => {
      const id = uniqueId();
      await ingest(fragment(id, null, { followers: 5 }));
      expect(await points(id)).toEqual([]);
      await ingest({
        plain: [{ kind: 'profile', platform: 'live_platform', id, observedAt: '2026-01-31T10:00:00.000Z', known: {} }],
      });
      expect(await points(id)).toEqual([]);
      expect(await now(id)).toBe(5);
    });

    it('an export of what a response without a time changed restores the same history', async () => {
      const id = uniqueId();
      await service().load('profiles', observed(id, '2026-01-31T10:00:00.000Z', 100));
      await ingest(fragment(id, null, { followers: 5 }));
      expect([await now(id), await points(id)]).toEqual([5, ['2026-01-31 100 null']]);
      const profile = (await service().get(`/platforms/live_platform/profiles/${id}`)).body.payload as object;
      const line = historyLine(id, '2026-01-31', 100, { observed_at: '2026-01-31T10:00:00.000Z' });
      for (let times = 0; times < 2; times++) {
        await service().load('profiles', profile);
        await service().load('history', line);
        expect(await points(id)).toEqual(['2026-01-31 100 null']);
      }
    });

    it('the same run again is no growth', async () => {
      const id = uniqueId();
      const run = DAYS.map(([at, statistics]) => fragment(id, at, statistics));
      for (let times = 0; times < 2; times++) {
        await ingest(...run);
        // The profile itself is the third.
        expect([(await points(id)).length, await rowsOf(id)]).toEqual([3, 2]);
      }
    });
  });
});
