import { describe, expect, it } from '@jest/globals';
import { forgetCreator } from '../../../src/operator/import/forget.js';
import { aContent, aProfile, liveGame, uniqueId } from '../../support/records/builders.js';
import { importFile } from '../../support/records/import-file.js';
import { describeService } from '../../support/service/test-service.js';

/** More lines than one transaction stores, and than the initial window holds. */
const MANY = 24_000;

/** Permutes the numbers below `count`. `step` and `count` must be coprime. */
const jumping = (count: number, step: number) => Array.from({ length: count }, (_, index) => (index * step) % count);

describeService('an import of many batches', (service) => {
  const prefix = uniqueId();
  const id = (number: number) => `${prefix}-${number}`;
  const line = (number: number, description: string) => JSON.stringify(aProfile({ id: id(number), description }));

  async function profiles(numbers: readonly number[]) {
    const { body } = await service().post('/platforms/live_platform/profiles', { profile_ids: numbers.map(id) });
    return body.payload as { id: string; description: string }[];
  }

  describe('loads every line, in any order', () => {
    it('the last of several lines for one record wins, however far apart they are', async () => {
      const lines = [
        ...jumping(MANY, 7919).map((number) => line(number, 'first')),
        ...jumping(MANY / 2, 7919).map((number) => line(2 * number, 'second')),
        line(4, 'third'),
      ];
      const { outcome, rejected } = await importFile(service(), 'profiles', lines.join('\n'));
      expect(outcome).toEqual({ lines: lines.length, loaded: lines.length, rejected: 0 });
      expect(rejected).toEqual([]);
      for (let start = 0; start < MANY; start += 4000) {
        const numbers = Array.from({ length: 100 }, (_, index) => start + index);
        const expected = numbers.map((number) => [id(number), number % 2 === 0 ? 'second' : 'first']);
        if (start === 0) expected[4] = [id(4), 'third'];
        expect((await profiles(numbers)).map((profile) => [profile.id, profile.description])).toEqual(expected);
      }
    });

    it('a content item whose time changed between its lines is stored once, as in its last line', async () => {
      const game = uniqueId();
      const items = jumping(200, 77).map((number) =>
        aContent({ created_at: new Date(1.7e12 + number).toISOString(), categories: [liveGame(game)] }),
      );
      const later = items.slice(0, 100).map((item) => ({ ...item, created_at: '2001-01-01T00:00:00.000Z' }));
      const lines = [...items, ...later].map((item) => JSON.stringify(item));
      expect((await importFile(service(), 'content', lines.join('\n'))).outcome.loaded).toBe(300);
      const listed = (await service().walk(`/platforms/live_platform/games/${game}/content`)) as typeof items;
      const order = (all: typeof items) => all.toSorted((a, b) => (a.content_id < b.content_id ? -1 : 1));
      expect(order(listed)).toEqual(order([...later, ...items.slice(100)]));
    });
  });

  it('rejects a record that is too long with the members that its line leaves out, and loads the others', async () => {
    const [expanding, long] = [uniqueId(), uniqueId()];
    const item = { platform: 'live_platform', type: 'stream', profile_id: uniqueId() };
    const lines = [
      { ...item, content_id: expanding, chapters: Array(60_000).fill({ id: '' }) },
      { ...item, content_id: long, description: 'x'.repeat(1_000_000) },
    ];
    const content = lines.map((each) => JSON.stringify(each)).join('\n');
    const { outcome, rejected } = await importFile(service(), 'content', content);
    expect(outcome).toEqual({ lines: 2, loaded: 1, rejected: 1 });
    const reason = 'record is longer than 1.5 MiB with the members that it leaves out';
    expect(rejected).toMatchObject([{ line: 1, reason }]);
  });

  it('rejects every bad line and every line of a forgotten creator, in the order of lines', async () => {
    const forgotten = uniqueId();
    await forgetCreator(service().database, 'live_platform', forgotten, Date.now());
    const suppressed = JSON.stringify(aProfile({ id: forgotten }));
    const lines = jumping(MANY, 7919).map((number) => line(number, 'again'));
    const expected = [0, 1, 20_000, 20_001, 23_000].map((at) => {
      lines[at] = at % 2 === 0 ? ` ${suppressed}` : 'bad';
      return {
        line: at + 1,
        reason: at % 2 === 0 ? 'suppressed: about a forgotten creator' : 'not JSON',
        text: lines[at],
      };
    });
    const { outcome, rejected } = await importFile(service(), 'profiles', lines.join('\n'));
    expect(rejected).toEqual(expected);
    expect(outcome).toEqual({ lines: MANY, loaded: MANY - expected.length, rejected: expected.length });
  });

  it('rejects every line of forgotten creators, also when they exceed the buffer', async () => {
    const forgotten = uniqueId();
    await forgetCreator(service().database, 'live_platform', forgotten, Date.now());
    const long = JSON.stringify(aProfile({ id: forgotten, description: 'x'.repeat(900_000) }));
    const lines = Array.from({ length: 40 }, (_, at) => (at % 2 === 0 ? long : line(at, 'after the long ones')));
    const { outcome, rejected } = await importFile(service(), 'profiles', lines.join('\n'));
    expect(outcome).toEqual({ lines: 40, loaded: 20, rejected: 20 });
    expect(rejected.map(({ line: number }) => number).toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 20 }, (_, index) => 2 * index + 1),
    );
    for (const { reason, text } of rejected)
      expect([reason, text === long]).toEqual(['suppressed: about a forgotten creator', true]);
  });

  it('continues after more bad lines than fit into the buffer, without a good line among them', async () => {
    const lines = [
      ...Array.from({ length: 20 }, () => 'x'.repeat(900_000)),
      ...jumping(50, 7).map((number) => line(number, 'after bad ones')),
    ];
    const { outcome } = await importFile(service(), 'profiles', lines.join('\n'));
    expect(outcome).toEqual({ lines: 70, loaded: 50, rejected: 20 });
    expect((await profiles([49])).map(({ description }) => description)).toEqual(['after bad ones']);
  });

  it('keeps the last storable line of a record when a later one names a forgotten creator', async () => {
    const [forgotten, owner] = [uniqueId(), uniqueId()];
    await forgetCreator(service().database, 'live_platform', forgotten, Date.now());
    const item = aContent({ profile_id: owner });
    const later = { ...item, profile_id: forgotten, created_at: '2026-03-01T00:00:00.000Z' };
    const lines = [{ ...item, title: 'First' }, item, later].map((each) => JSON.stringify(each));
    const { outcome, rejected } = await importFile(service(), 'content', lines.join('\n'));
    expect(outcome).toEqual({ lines: 3, loaded: 2, rejected: 1 });
    expect(rejected).toEqual([{ line: 3, reason: 'suppressed: about a forgotten creator', text: lines[2] }]);
    const { body } = await service().get(`/platforms/live_platform/content/${item.content_id}`);
    expect(body.payload).toEqual(item);
  });
});
