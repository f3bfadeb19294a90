import { beforeEach, describe, expect, it } from '@jest/globals';
import { uniqueId } from '../../support/records/builders.js';
import {
  filteredLists,
  idOf,
  sortedAsDocumented,
  listsUnderTest,
  removeAll,
  type ListedItem,
} from '../../support/lists/lists.js';
import { describeService } from '../../support/service/test-service.js';
import { present } from '../../support/present.js';

const ORDERS = ['asc', 'desc'] as const;

const day = (number: number) => `2026-01-${String(number).padStart(2, '0')}T12:00:00.000Z`;

/** Items with equal dates, without a date, and with unique dates. */
const mixture = (): ListedItem[] =>
  Array.from({ length: 17 }, (_, index) => ({
    id: `${uniqueId()}`,
    at: index % 5 === 0 ? null : index % 3 === 0 ? day(9) : day(index + 1),
  }));

const atOf = ({ at }: ListedItem) => at;
const listedId = ({ id }: ListedItem) => id;

describeService('paging', (service) => {
  beforeEach(() => removeAll(service()));

  describe.each([...listsUnderTest(), ...filteredLists()])('of $title', ({ path, query, add, remove }) => {
    const page = async (parameters: Record<string, string>) => {
      const { status, body } = await service().get(
        `${path}?${new URLSearchParams({ ...query, ...parameters }).toString()}`,
      );
      expect(status).toBe(200);
      return { ids: (body.payload as unknown[]).map(idOf), cursor: body.paging.next_cursor as string | null };
    };
    const rest = async (parameters: Record<string, string>) =>
      (await service().walk(path, { ...query, ...parameters })).map(idOf);

    it.each(ORDERS)(
      '%s: every page size returns each item once, in order, across ties and unknown dates',
      async (order) => {
        const items = mixture();
        await add(service(), items);
        const expected = sortedAsDocumented(items, atOf, listedId, order).map(listedId);
        for (const limit of ['1', '5', '16', '17', '18']) {
          expect(await rest({ order, limit })).toEqual(expected);
        }
      },
    );

    it('`next_cursor` is null exactly when there are no more results', async () => {
      const items = mixture().slice(0, 4);
      await add(service(), items);
      expect((await page({ limit: '3' })).cursor).toMatch(/^[A-Za-z0-9_-]+$/);
      expect((await page({ limit: '4' })).cursor).toBeNull();
      const { cursor } = await page({ limit: '2' });
      expect((await page({ limit: '2', cursor: present(cursor) })).cursor).toBeNull();
    });

    it('a page after the last item is empty with a null cursor', async () => {
      const items = mixture().slice(0, 3);
      await add(service(), items);
      const first = await page({ limit: '2' });
      await remove(
        service(),
        items.map(listedId).filter((id) => !first.ids.includes(id)),
      );
      expect(await page({ limit: '2', cursor: present(first.cursor) })).toEqual({ ids: [], cursor: null });
    });

    it.each(ORDERS)('%s: `limit` may change between pages', async (order) => {
      const items = mixture();
      await add(service(), items);
      const walked: string[] = [];
      let cursor: string | null = null;
      for (const limit of ['1', '4', '2', '7', '50']) {
        const next = await page({ order, limit, ...(cursor === null ? {} : { cursor }) });
        walked.push(...next.ids);
        cursor = next.cursor;
      }
      expect(cursor).toBeNull();
      expect(walked).toEqual(sortedAsDocumented(items, atOf, listedId, order).map(listedId));
    });

    it.each(ORDERS)('%s: date bounds may be added, moved and dropped between pages', async (order) => {
      const items = Array.from({ length: 12 }, (_, index) => ({ id: uniqueId(), at: day(index + 1) }));
      await add(service(), items);
      const expected = sortedAsDocumented(items, atOf, listedId, order);
      const first = await page({ order, limit: '3' });
      expect(first.ids).toEqual(expected.slice(0, 3).map(listedId));
      const within = { start_date: '2026-01-05', end_date: '2026-01-08' };
      const second = await page({ order, limit: '2', cursor: present(first.cursor), ...within });
      const inside = expected.filter(({ at }) => at >= '2026-01-05' && at < '2026-01-09').map(listedId);
      expect(second.ids).toEqual(inside.slice(0, 2));
      expect(await rest({ order, cursor: present(second.cursor) })).toEqual(
        expected.map(listedId).slice(expected.findIndex(({ id }) => id === inside[1]) + 1),
      );
    });

    it.each([
      ['asc', '2026-01-01', '2026-01-02'],
      ['desc', '2026-01-11', '2026-01-12'],
    ])('%s: bounds that end before the cursor give an empty page', async (order, start_date, end_date) => {
      const items = Array.from({ length: 12 }, (_, index) => ({ id: uniqueId(), at: day(index + 1) }));
      await add(service(), items);
      const { cursor } = await page({ order, limit: '6' });
      expect(await page({ order, cursor: present(cursor), start_date, end_date })).toEqual({ ids: [], cursor: null });
    });

    it.each(ORDERS)('%s: items added, moved or removed while paging do not affect the others', async (order) => {
      const items = mixture();
      await add(service(), items);
      const expected = sortedAsDocumented(items, atOf, listedId, order).map(listedId);
      const walked: string[] = [];
      const disturbing: string[] = [];
      let cursor: string | null = null;
      do {
        const next = await page({ order, limit: '3', ...(cursor === null ? {} : { cursor }) });
        walked.push(...next.ids);
        cursor = next.cursor;
        if (disturbing.length >= 16) continue;
        const added = [null, day(1), day(9), day(31)].map((at) => ({ id: uniqueId(), at }));
        const [moved] = disturbing;
        const moves = moved === undefined ? [] : [{ id: moved, at: order === 'asc' ? day(31) : null }];
        await add(service(), [...added, ...moves]);
        await remove(service(), disturbing.slice(1, 3));
        disturbing.unshift(...added.map(listedId));
      } while (cursor !== null);
      expect(walked.filter((id) => !disturbing.includes(id))).toEqual(expected);
    });

    it('the item that a cursor points at may be changed or removed', async () => {
      const items = mixture();
      await add(service(), items);
      const expected = sortedAsDocumented(items, atOf, listedId, 'desc').map(listedId);
      const { ids, cursor } = await page({ limit: '5' });
      await remove(service(), [present(ids[4])]);
      expect(await rest({ cursor: present(cursor) })).toEqual(expected.slice(5));
      await add(service(), [{ id: present(ids[4]), at: day(28) }]);
      expect(await rest({ cursor: present(cursor) })).toEqual(expected.slice(5));
    });

    it('Cursors do not expire', async () => {
      const items = mixture();
      await add(service(), items);
      const { ids, cursor } = await page({ limit: '5' });
      service().clock.advance(400 * 86_400_000);
      expect([...ids, ...(await rest({ cursor: present(cursor) }))]).toHaveLength(items.length);
    });

    it('a page may be requested again', async () => {
      await add(service(), mixture());
      const { cursor } = await page({ limit: '5' });
      const [first, second] = [await page({ cursor: present(cursor) }), await page({ cursor: present(cursor) })];
      expect(second).toEqual(first);
    });
  });
});
