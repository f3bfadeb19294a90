import { beforeAll, expect, it } from '@jest/globals';
import { forgetCreator, undoForget } from '../../../src/operator/import/forget.js';
import { Mirror } from '../../support/changes/mirror.js';
import { aProfile, uniqueId } from '../../support/records/builders.js';
import { describeService } from '../../support/service/test-service.js';

const PLATFORM = 'live_platform';
const DAYS = ['2026-01-01T12:00:00.000Z', '2026-01-02T12:00:00.000Z'] as const;

/** More than the records of a transaction: those of the next ones are inserted before stored versions are looked for. */
const NEW = 8200;

describeService('a file of new profiles with some stored ones behind them', (service) => {
  const prefix = uniqueId();
  // Behind the new ones in the order of IDs.
  const stored = (name: string) => `${prefix}-z-${name}`;
  const observed = (id: string, day: 0 | 1) =>
    aProfile({ id, updated_at: DAYS[day], statistics: { followers: 100 + day, views_estimated: null } });
  const same = observed(stored('same'), 0);
  let mirror: Mirror;
  let changes: { readonly op: string; readonly id: string }[];

  beforeAll(async () => {
    const { database } = service();
    await service().load('profiles', same, observed(stored('changed'), 0), observed(stored('deleted'), 0));
    await forgetCreator(database, PLATFORM, stored('deleted'), Date.now());
    await undoForget(database, PLATFORM, stored('deleted'));
    mirror = new Mirror(`/platforms/${PLATFORM}/changes?kind=profiles`);
    await mirror.follow(service());
    const lines = Array.from({ length: NEW }, (_, index) => aProfile({ id: `${prefix}-${index}` }));
    const last = [same, observed(stored('changed'), 1), observed(stored('deleted'), 1)];
    await service().load('profiles', ...lines, ...last, aProfile({ id: stored('new') }));
    changes = (await mirror.follow(service())) as typeof changes;
  });

  it('stores all of them', async () => {
    const { body } = await service().get(`/platforms/${PLATFORM}/profiles/${prefix}-${NEW - 1}`);
    expect(body.payload.id).toBe(`${prefix}-${NEW - 1}`);
    for (const name of ['changed', 'deleted']) {
      const answer = await service().get(`/platforms/${PLATFORM}/profiles/${stored(name)}`);
      expect(answer.body.payload.statistics.followers).toBe(101);
    }
  });

  it('lists each new or changed one as a change, and not the same one', () => {
    const ids = changes.map(({ op, id }) => `${op} ${id}`);
    expect(ids).toHaveLength(NEW + 3);
    expect(ids.filter((text) => text.includes('-z-')).toSorted()).toEqual([
      `upsert ${stored('changed')}`,
      `upsert ${stored('deleted')}`,
      `upsert ${stored('new')}`,
    ]);
  });

  it('lists one that was deleted before no longer as deleted', async () => {
    const all = await new Mirror(`/platforms/${PLATFORM}/changes?kind=profiles`).follow(service());
    expect(all.filter(({ id }) => id === stored('deleted'))).toMatchObject([{ op: 'upsert' }]);
  });

  it('keeps the observation of the replaced version in its history', async () => {
    const path = `/platforms/${PLATFORM}/profiles/${stored('changed')}/history`;
    const { body } = await service().get(`${path}?start_date=2026-01-01&end_date=2026-01-31`);
    expect(body.payload).toMatchObject([{ followers: 100 }, { followers: 101 }]);
  });
});
