import { expect, it } from '@jest/globals';
import { observed, pointsOf } from '../../support/history.js';
import { uniqueId } from '../../support/records/builders.js';
import { runForJson } from '../../support/service/command.js';
import { describeService } from '../../support/service/test-service.js';
import { withoutSqlCheck } from '../../support/sql/sql-list.js';

describeService('history and an import of the same file again', (service) => {
  const points = (id: string) => pointsOf(service(), id);
  const removeDays = (id: string) =>
    withoutSqlCheck(() =>
      service().database.dataSource.query('DELETE FROM profile_history WHERE profile_id = ?', [id]),
    );

  it('writes no row', async () => {
    const id = uniqueId();
    const line = observed(id, '2026-01-31T09:30:00.000Z', 1);
    await service().load('profiles', line);
    // Nothing else writes a day that is gone.
    await removeDays(id);
    await service().load('profiles', line);
    expect(await points(id)).toEqual([]);
    await service().load('profiles', line, observed(id, '2026-01-30T09:30:00.000Z', 2), line);
    expect(await points(id)).toEqual(['2026-01-30 2 null', '2026-01-31 1 null']);
  });

  it('writes days that `purge --history` removed', async () => {
    const id = uniqueId();
    const line = observed(id, '2026-01-31T09:30:00.000Z', 1);
    await service().load('profiles', line);
    await runForJson(service().testDatabase, 'purge', '--history', '--older-than', '0d', '--yes');
    expect(await points(id)).toEqual([]);
    await service().load('profiles', line);
    expect(await points(id)).toEqual(['2026-01-31 1 null']);
  });

  it('writes what was stored before histories were kept, also after a reindex', async () => {
    const id = uniqueId();
    const line = observed(id, '2026-01-31T09:30:00.000Z', 1);
    for (const isReindexed of [false, true]) {
      await service().load('profiles', line);
      await removeDays(id);
      const sql = 'UPDATE profiles SET revision = 0 WHERE id = ?';
      await withoutSqlCheck(() => service().database.dataSource.query(sql, [id]));
      if (isReindexed) await runForJson(service().testDatabase, 'reindex', 'profiles');
      await service().load('profiles', line);
      expect(await points(id)).toEqual(['2026-01-31 1 null']);
    }
  });
});
