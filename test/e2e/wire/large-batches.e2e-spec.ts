import { expect, it } from '@jest/globals';
import { aContent } from '../../support/records/builders.js';
import { describeService } from '../../support/service/test-service.js';

const RECORDS = 10;
const BATCHES = 16;
const PATH = '/platforms/live_platform/content';

describeService('large records', (service) => {
  it('in batches of one key wait for each other or are refused, and those of another key are answered meanwhile', async () => {
    // Those that are not stored count, too, so few batches run at a time.
    const ids = Array.from({ length: 100 }, (_, number) => `large-${number}`);
    const stored = ids.slice(0, RECORDS).map((content_id) => aContent({ content_id, title: 'x'.repeat(500_000) }));
    await service().load('content', ...stored);
    const [{ key: greedy }, { key: other }] = [await service().newKey(1_000_000), await service().newKey(1_000_000)];
    const batch = (key: string, content_ids: readonly string[]) =>
      service().post(PATH, { content_ids }, { 'x-api-key': key });
    // Tells that the store has large records.
    expect((await batch(greedy, ids)).status).toBe(200);
    let isOver = false;
    const flood = Promise.all(Array.from({ length: BATCHES }, () => batch(greedy, ids))).finally(() => (isOver = true));
    const statuses: number[] = [];
    while (!isOver) {
      statuses.push((await batch(other, [ids[0] ?? ''])).status);
      statuses.push((await service().request('/health')).status);
    }
    expect(new Set(statuses)).toEqual(new Set([200]));
    const outcomes = (await flood).map(({ status, body }) => (status === 200 ? body.payload.length : body.error.code));
    expect(outcomes).toContain(RECORDS);
    const refused = ['too_many_unread_answers', 'overloaded'];
    expect(outcomes.filter((outcome) => outcome !== RECORDS && !refused.includes(outcome))).toEqual([]);
    // No turn is left behind.
    expect((await batch(greedy, ids)).body.payload).toHaveLength(RECORDS);
  });
});
