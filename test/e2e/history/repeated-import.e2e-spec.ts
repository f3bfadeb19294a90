import { expect, it } from '@jest/globals';
import { historyLine, observed, pointsOf } from '../../support/history.js';
import { uniqueId } from '../../support/records/builders.js';
import { runForJson } from '../../support/service/command.js';
import { describeService } from '../../support/service/test-service.js';
import { withoutSqlCheck } from '../../support/sql/sql-list.js';

describeService('history and an import of the same file again', (service) => {
  const points = (id: string) => pointsOf(service(), id);
  const run = (sql: string, id: string) =>
    withoutSqlCheck(() => service().database.dataSource.query<unknown>(sql, [id]));
  const rowsOf = (id: string) => run('SELECT day FROM profile_history WHERE profile_id = ?', id);

  it('writes no row', async () => {
    const id = uniqueId();
    const line = observed(id, '2026-01-31T09:30:00.000Z', 1);
    await service().load('profiles', line);
    // A write of the profile would restore it.
    await run("UPDATE profiles SET handle = 'mark' WHERE id = ?", id);
    await service().load('profiles', line);
    expect(await run("SELECT 1 FROM profiles WHERE handle = 'mark' AND id = ?", id)).toHaveLength(1);
    expect([await rowsOf(id), await points(id)]).toEqual([[], ['2026-01-31 1 null']]);
    await service().load('profiles', line, observed(id, '2026-01-30T09:30:00.000Z', 2), line);
    expect(await points(id)).toEqual(['2026-01-30 2 null', '2026-01-31 1 null']);
  });

  it('another version of the profile moves its observation to the history', async () => {
    const id = uniqueId();
    await service().load('profiles', observed(id, '2026-01-30T09:30:00.000Z', 1, 5));
    await service().load('profiles', observed(id, '2026-01-31T09:30:00.000Z', null, 6));
    expect(await rowsOf(id)).toEqual([{ day: 20260130 }]);
    // Of one day, the later observation replaces the one before.
    await service().load('profiles', observed(id, '2026-01-31T10:30:00.000Z', null, 7));
    expect(await rowsOf(id)).toEqual([{ day: 20260130 }]);
    await service().load('profiles', observed(id, null, 9));
    expect(await rowsOf(id)).toEqual([{ day: 20260130 }, { day: 20260131 }]);
    expect(await points(id)).toEqual(['2026-01-30 1 5', '2026-01-31 null 7']);
  });

  it('an older version of the service, which knows no histories, loses no day', async () => {
    const id = uniqueId();
    await service().load('profiles', observed(id, '2026-01-30T09:30:00.000Z', 1, 5));
    const later = observed(id, '2026-01-31T09:30:00.000Z', 3);
    const columns = `followers = 3, updated_at = ${Date.parse('2026-01-31T09:30:00.000Z')}`;
    // What that version writes.
    await run(`UPDATE profiles SET ${columns}, document = '${JSON.stringify(later)}' WHERE id = ?`, id);
    expect(await points(id)).toEqual(['2026-01-30 1 5']);
    await service().load('profiles', later);
    expect(await points(id)).toEqual(['2026-01-30 1 5', '2026-01-31 3 null']);
    await service().load('profiles', observed(id, '2026-02-01T09:30:00.000Z', 4));
    expect(await points(id)).toEqual(['2026-01-30 1 5', '2026-01-31 3 null', '2026-02-01 4 null']);
  });

  it('a line of `import history` at the time of the profile corrects it, and the profile again changes nothing', async () => {
    const id = uniqueId();
    const at = '2026-01-31T09:30:00.000Z';
    const profile = observed(id, at, 1, 5);
    await service().load('profiles', profile);
    await service().load('history', historyLine(id, '2026-01-31', 1, { observed_at: at, views_estimated: 5 }));
    expect([await points(id), await rowsOf(id)]).toEqual([['2026-01-31 1 5'], []]);
    await service().load('history', historyLine(id, '2026-01-31', 2, { observed_at: at }));
    expect([await points(id), await rowsOf(id)]).toEqual([['2026-01-31 2 null'], [{ day: 20260131 }]]);
    await service().load('profiles', profile);
    expect(await points(id)).toEqual(['2026-01-31 2 null']);
    await service().load('profiles', observed(id, '2026-02-01T09:30:00.000Z', 4));
    expect(await points(id)).toEqual(['2026-01-31 2 null', '2026-02-01 4 null']);
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
      await run(
        'UPDATE profiles SET revision = 0, observed_at = NULL, observed_followers = NULL, observed_views = NULL WHERE id = ?',
        id,
      );
      if (isReindexed) await runForJson(service().testDatabase, 'reindex', 'profiles');
      expect(await points(id)).toEqual([]);
      await service().load('profiles', line);
      expect(await points(id)).toEqual(['2026-01-31 1 null']);
    }
  });
});
