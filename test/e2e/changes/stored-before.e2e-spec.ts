import { beforeEach, describe, expect, it } from '@jest/globals';
import { CounterEntity } from '../../../src/database/counter.entity.js';
import { currentCursors } from '../../../src/features/changes/current-cursors.js';
import { forgetCreator, undoForget } from '../../../src/operator/import/forget.js';
import { reindex } from '../../../src/operator/reindex/reindex.js';
import { feedPath, Mirror } from '../../support/changes/mirror.js';
import { storedRecords } from '../../support/changes/stored-records.js';
import { removeAll } from '../../support/lists/lists.js';
import { aProfile, uniqueId } from '../../support/records/builders.js';
import { runForJson, runInProcess } from '../../support/service/command.js';
import { describeService } from '../../support/service/test-service.js';
import { withoutSqlCheck } from '../../support/sql/sql-list.js';

const IDS = Array.from({ length: 12 }, (_, index) => `old ${String(index).padStart(2, '0')}`);

describeService('records that were stored before changes were counted', (service) => {
  /** Makes the stored profiles what a migration leaves. */
  const asBeforeMigration = () =>
    withoutSqlCheck(() => service().database.dataSource.query('UPDATE profiles SET revision = 0, changed_at = 0'));

  beforeEach(async () => {
    await removeAll(service());
    await service().load('profiles', ...IDS.map((id) => aProfile({ id })));
    await asBeforeMigration();
  });

  it('come first, ordered by ID, without a time of the change', async () => {
    const added = aProfile({ id: 'a first ID' });
    await service().load('profiles', added);
    const items = await new Mirror(feedPath('profiles')).follow(service());
    expect(items.map(({ id }) => id)).toEqual([...IDS, added.id]);
    expect(items[0]?.changed_at).toBeNull();
    expect(items.at(-1)?.changed_at).not.toBeNull();
  });

  it('a changed one moves to the end; the same bytes again do not move it', async () => {
    const mirror = new Mirror(feedPath('profiles'));
    await mirror.follow(service());
    const [first = '', second = ''] = IDS;
    await service().load('profiles', aProfile({ id: first }), aProfile({ id: second, name: 'new' }));
    expect((await mirror.follow(service())).map(({ id }) => id)).toEqual([second]);
  });

  it('`reindex` gives them revisions, and a client that pages meanwhile misses nothing', async () => {
    const mirror = new Mirror(feedPath('profiles'));
    await mirror.readPage(service(), 5);
    expect(await runForJson(service().testDatabase, 'reindex', 'profiles', '--batch', '5')).toMatchObject({
      records: IDS.length,
      changed: IDS.length,
    });
    await mirror.follow(service());
    expect(mirror.records).toEqual(await storedRecords(service(), 'profiles'));
    const items = await new Mirror(feedPath('profiles')).follow(service());
    expect(items.map(({ id }) => id)).toEqual(IDS);
    expect(items.every(({ changed_at }) => changed_at !== null)).toBe(true);
    expect(await runForJson(service().testDatabase, 'reindex', 'profiles')).toMatchObject({ changed: 0 });
    expect(await mirror.follow(service())).toEqual([]);
  });

  it('the feed of a store whose `reindex` was interrupted is complete, and goes on through the rest of it', async () => {
    const followed = new Mirror(feedPath('profiles'));
    await followed.readPage(service(), 5);
    const stop = new AbortController();
    const options = { schema: 'x', batchRecords: 5, progress: () => stop.abort(), signal: stop.signal };
    expect((await reindex(service().database, 'profiles', options)).isComplete).toBe(false);
    const [changed = '', deleted = ''] = [IDS[1], IDS.at(-1)];
    await service().load('profiles', aProfile({ id: changed, name: 'new' }));
    await forgetCreator(service().database, 'live_platform', deleted, Date.now());
    for (const isReindexed of [false, true]) {
      const { signal } = new AbortController();
      if (isReindexed) await reindex(service().database, 'profiles', { ...options, progress: () => undefined, signal });
      const stored = await storedRecords(service(), 'profiles');
      expect(stored.size).toBe(IDS.length - 1);
      await followed.follow(service());
      const whole = new Mirror(feedPath('profiles'));
      const items = await whole.follow(service());
      expect([followed.records, whole.records]).toEqual([stored, stored]);
      expect(items.filter(({ op }) => op === 'upsert')).toHaveLength(stored.size);
    }
    await undoForget(service().database, 'live_platform', deleted);
  });

  describe('a restored store', () => {
    it('a cursor that is ahead of the store: 410 `Cursor is ahead of the store`', async () => {
      const { cursor } = await followed();
      const rows = [{ name: 'profiles_revision', value: 0 }];
      await service().load('profiles', aProfile());
      const { body } = await service().get(`${feedPath('profiles')}&from=now`);
      await withoutSqlCheck(() => service().database.write((writer) => writer.upsert(CounterEntity, rows)));
      const answer = await service().get(`${feedPath('profiles')}&cursor=${body.paging.next_cursor}`);
      expect([answer.status, answer.body.error.message, answer.body.error.code]).toEqual([
        410,
        'Cursor is ahead of the store',
        'cursor_ahead',
      ]);
      expect([answer.headers['x-quota-units'], answer.headers['x-credits']]).toEqual(['0', '0']);
      // This one is at revision 0.
      expect((await service().get(`${feedPath('profiles')}&cursor=${cursor}`)).status).toBe(200);
    });

    it('`creator-data restored`: cursors from before get the 410, however far the store has come since', async () => {
      const before = await followed();
      const games = await followed('games');
      const { status, out } = await runInProcess(service().testDatabase, 'restored');
      expect([status, out]).toEqual([
        0,
        'Cursors of changes from before are invalid now: clients that keep a copy begin again. The service builds its search index anew. Keys revoked and creators forgotten since the backup are back: repeat these commands.\n',
      ]);
      await service().load('profiles', aProfile(), aProfile());
      for (const path of [
        `${feedPath('profiles')}&cursor=${before.cursor}`,
        `${feedPath('games')}&cursor=${games.cursor}`,
      ]) {
        expect((await service().get(path)).status).toBe(410);
      }
      const anew = await followed();
      expect(anew.records).toEqual(await storedRecords(service(), 'profiles'));
      await runForJson(service().testDatabase, 'restored');
      expect((await service().get(`${feedPath('profiles')}&cursor=${anew.cursor}`)).status).toBe(410);
    });

    it('is in the audit log', async () => {
      await runForJson(service().testDatabase, 'restored');
      const entries = await runForJson(service().testDatabase, 'audit', 'list');
      expect(entries.at(-1)).toMatchObject({ command: 'restored', outcome: 'done' });
    });
  });

  it('`currentCursors` returns the cursor of now of each feed', async () => {
    const cursors = await currentCursors(service().database);
    const id = uniqueId();
    await service().load('profiles', aProfile({ id }));
    await service().load('games', { id, name: 'Game' });
    const after = async (path: string, cursor: string | undefined) =>
      (await service().get(`${path}&cursor=${cursor}`)).body.payload.map((item: { id: string }) => item.id);
    expect(await after(feedPath('profiles'), cursors.live_platform?.profiles)).toEqual([id]);
    expect(await after(feedPath('profiles', 'video_platform'), cursors.video_platform?.profiles)).toEqual([]);
    expect(await after(feedPath('games'), cursors.games?.games)).toEqual([id]);
  });

  async function followed(kind = 'profiles'): Promise<Mirror> {
    const mirror = new Mirror(feedPath(kind));
    await mirror.follow(service());
    return mirror;
  }
});
