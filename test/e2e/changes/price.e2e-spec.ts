import { beforeAll, describe, expect, it } from '@jest/globals';
import { forgetCreator } from '../../../src/operator/import/forget.js';
import { FEED_KINDS } from '../../../src/features/changes/feeds.js';
import { feedPath, type ChangeItem } from '../../support/changes/mirror.js';
import { aGame, aProfile, uniqueId } from '../../support/records/builders.js';
import { loadOneOfEach } from '../../support/openapi/operations.js';
import { runForJson } from '../../support/service/command.js';
import { describeService } from '../../support/service/test-service.js';
import { recordOf } from '../../support/service/usage.js';

const P = 'live_platform';

/** Another test of this file deletes creators. */
const upsertsOf = (items: readonly ChangeItem[]) => items.filter(({ op }) => op === 'upsert');

const PRICES: Readonly<Record<string, readonly [units: number, credits: number]>> = {
  profiles: [1, 0],
  content: [1, 0],
  analysis: [100, 100],
  audience: [100, 100],
  socials: [10, 10],
  emails: [10, 0],
  games: [1, 0],
};

describeService('the price of changes', (service) => {
  const start = new Map<string, string>();

  /** Path of the changes since the start of these tests. */
  const sinceStart = (kind: string) => `${feedPath(kind)}&cursor=${start.get(kind)}`;

  beforeAll(async () => {
    for (const kind of [...FEED_KINDS, 'games']) {
      const { body } = await service().get(`${feedPath(kind)}&from=now`);
      start.set(kind, String(body.paging.next_cursor));
    }
    for (let count = 0; count < 3; count += 1) await loadOneOfEach(service());
  });

  it.each(Object.entries(PRICES))('%s: each record costs what its look-up costs', async (kind, [units, credits]) => {
    const { headers, body } = await service().get(sinceStart(kind));
    expect(body.payload).toHaveLength(3);
    expect([headers['x-quota-units'], headers['x-credits']]).toEqual([String(3 * units), String(3 * credits)]);
    const record = await recordOf(service(), headers['x-request-id']);
    expect([record.operation, record.quota_units, record.credits, record.items_returned]).toEqual([
      kind === 'games' ? 'games.changes' : 'changes.list',
      3 * units,
      3 * credits,
      3,
    ]);
    const head = await service().request(sinceStart(kind), { method: 'HEAD' });
    expect([head.headers['x-quota-units'], head.headers['x-credits']]).toEqual([String(3 * units), '0']);
    const known = await service().get(sinceStart(kind), { 'if-none-match': '*' });
    expect([known.status, known.headers['x-quota-units'], known.headers['x-credits']]).toEqual([
      304,
      String(3 * units),
      '0',
    ]);
  });

  it('deletions cost nothing; at least 1 unit', async () => {
    const [a, b] = [await loadOneOfEach(service()), await loadOneOfEach(service())];
    const { body } = await service().get(`${feedPath('analysis')}&from=now`);
    for (const id of [a, b]) await forgetCreator(service().database, P, id, Date.now());
    const deletions = await service().get(`${feedPath('analysis')}&cursor=${body.paging.next_cursor}`);
    expect(deletions.body.payload.map(({ op }: { op: string }) => op)).toEqual(['delete', 'delete']);
    expect([deletions.headers['x-quota-units'], deletions.headers['x-credits']]).toEqual(['1', '0']);
    const empty = await service().get(`${feedPath('analysis')}&from=now`);
    expect([empty.headers['x-quota-units'], empty.headers['x-credits']]).toEqual(['1', '0']);
  });

  it('a 400 costs nothing', async () => {
    const { headers } = await service().get(`${feedPath('profiles')}&cursor=x`);
    expect([headers['x-quota-units'], headers['x-credits']]).toEqual(['0', '0']);
  });

  describe('the month allowance', () => {
    const keyWith = async (units: number | null, credits: number | null = null) => {
      const { id, key } = await service().newKey(100_000);
      await service().keys.setAllowance(id, { month_units: units, month_credits: credits });
      return { 'x-api-key': key };
    };

    it('cuts a page to what fits; then has_more is true, and the next page goes on there', async () => {
      const headers = await keyWith(250);
      const whole = await service().get(sinceStart('analysis'));
      const cut = await service().get(sinceStart('analysis'), headers);
      expect(cut.body.payload).toEqual(whole.body.payload.slice(0, 2));
      expect(cut.body.paging.has_more).toBe(true);
      expect(cut.headers).toMatchObject({
        'x-quota-units': '200',
        'x-credits': '200',
        'x-quota-units-remaining': '50',
      });
      expect(cut.headers.link).toContain(String(cut.body.paging.next_cursor));
      expect(cut.headers.etag).not.toBe(whole.headers.etag);
      const record = await recordOf(service(), cut.headers['x-request-id']);
      expect([record.status, record.quota_units, record.credits, record.items_returned]).toEqual([200, 200, 200, 2]);
      const rest = await service().get(`${feedPath('analysis')}&cursor=${cut.body.paging.next_cursor}`);
      expect(rest.body.payload[0]).toEqual(whole.body.payload[2]);
    });

    it('cuts by credits, too, and HEAD only by units', async () => {
      const cut = await service().get(sinceStart('analysis'), await keyWith(null, 199));
      expect([cut.body.payload.length, cut.headers['x-credits-remaining']]).toEqual([1, '99']);
      const head = await service().request(sinceStart('analysis'), {
        method: 'HEAD',
        headers: await keyWith(1000, 0),
      });
      expect([head.status, head.headers['x-quota-units']]).toEqual([200, '300']);
    });

    it('if not one record fits: 402', async () => {
      const { status, headers } = await service().get(sinceStart('analysis'), await keyWith(99));
      expect([status, headers['x-quota-units'], headers['x-quota-units-remaining']]).toEqual([402, '0', '99']);
      expect((await service().get(sinceStart('profiles'), await keyWith(0))).status).toBe(402);
    });

    it('is never exceeded by concurrent pages, and a page that fits is never refused', async () => {
      const headers = await keyWith(1000);
      const answers = await Promise.all(
        Array.from({ length: 6 }, () => service().get(sinceStart('analysis'), headers)),
      );
      const counts = answers.map(({ status, body }) => (status === 200 ? upsertsOf(body.payload).length : 0));
      expect(counts.toSorted((a, b) => a - b)).toEqual([0, 0, 1, 3, 3, 3]);
    });
  });

  describe('policies', () => {
    it('records are seen as the key may see them', async () => {
      const { id, key } = await service().newKey(100_000);
      await runForJson(service().testDatabase, 'keys', 'policy', id, '--hide', 'sensitive,display_name');
      const headers = { 'x-api-key': key };
      const profiles = await service().get(sinceStart('profiles'), headers);
      for (const { record } of upsertsOf(profiles.body.payload)) expect(record.display_name).toBeNull();
      const emails = await service().get(sinceStart('emails'), headers);
      for (const { id: creator, record } of upsertsOf(emails.body.payload)) {
        expect(record.email).toBeNull();
        const { body } = await service().get(`/platforms/${P}/profiles/${creator}/email`, headers);
        expect(record).toEqual(body.payload);
      }
    });
  });

  it('a test key gets changes of the sample data, with the cost they would have', async () => {
    const { key } = await service().newTestKey(100_000);
    const { status, headers, body } = await service().get(feedPath('socials').replace('100', '2'), {
      'x-api-key': key,
    });
    expect([status, headers['x-test-mode'], headers['x-quota-units']]).toEqual([200, 'true', '20']);
    expect(body.payload).toHaveLength(2);
    await service().load('profiles', aProfile({ id: uniqueId() }));
    await service().load('games', aGame());
    const nulls = await service().get(feedPath('profiles').replace('100', '1'), {
      'x-api-key': key,
      'x-test-answer': 'nulls',
    });
    expect(nulls.status).toBe(200);
  });
});
