import { beforeEach, describe, expect, it } from '@jest/globals';
import { TableIndex } from 'typeorm';
import { ProgressEntity } from '../../../src/database/progress.entity.js';
import type { EntityClass } from '../../../src/database/statements.js';
import { ContentEntity, GameContentEntity } from '../../../src/features/content/content.entity.js';
import { GameEntity } from '../../../src/features/games/game.entity.js';
import { ProfileEntity } from '../../../src/features/profiles/profile.entity.js';
import { RECORD_STORES } from '../../../src/operator/import/record-stores.js';
import { Revisions } from '../../../src/operator/import/revisions.js';
import { aContent, aGame, aProfile, liveGame, uniqueId } from '../../support/records/builders.js';
import { runInProcess, runForJson } from '../../support/service/command.js';
import { removeAll } from '../../support/lists/lists.js';
import { present } from '../../support/present.js';
import { runBuiltCommand, BuiltProcess } from '../../support/process/processes.js';
import { describeService, type TestService } from '../../support/service/test-service.js';
import { withoutSqlCheck } from '../../support/sql/sql-list.js';
import { until } from '../../support/until.js';

/** Resets a column to its default, as after a migration that added it to stored records. */
async function addAnew({ database }: TestService, entity: EntityClass<object>, column: string, type: string) {
  const { tableName, indices } = database.dataSource.getMetadata(entity);
  const having = indices.filter(({ columns }) => columns.some(({ propertyName }) => propertyName === column));
  await withoutSqlCheck(async () => {
    const runner = database.dataSource.createQueryRunner();
    for (const { name } of having) await runner.dropIndex(tableName, name);
    await runner.query(`ALTER TABLE ${tableName} DROP COLUMN ${column}`);
    await runner.query(`ALTER TABLE ${tableName} ADD COLUMN ${column} ${type}`);
    for (const { name, columns, isUnique } of having) {
      const columnNames = columns.map(({ propertyName }) => propertyName);
      await runner.createIndex(tableName, new TableIndex({ name, columnNames, isUnique }));
    }
    await runner.release();
  });
}

const nullableBytes = ({ dialect }: TestService, length: number) =>
  dialect === 'mysql' ? `varbinary(${length}) NULL` : 'text';

describeService('reindex', (service) => {
  const placeOf = ({ testDatabase: { url, folder } }: TestService) => ({ DATABASE_URL: url, DATA_DIR: folder });
  const rowsOf = <E extends object>(entity: EntityClass<E>): Promise<E[]> =>
    withoutSqlCheck(() => service().database.dataSource.getRepository(entity).find());
  const withoutHandles = () => addAnew(service(), ProfileEntity, 'handle', nullableBytes(service(), 765));
  const lookUp = async (handles: readonly string[]): Promise<string[]> => {
    const { body } = await service().post('/platforms/live_platform/profiles/lookup', { handles });
    return (body.payload as { id: string }[]).map(({ id }) => id);
  };
  /** Stores the progress of a killed reindex of profiles. */
  const interrupt = (schema: string, id: string) => {
    const progress = { schema, after: { platform: 1, id }, records: 7, changed: 7, unreadable: 0 };
    const row = { kind: 'profiles', document: JSON.stringify(progress) };
    return withoutSqlCheck(() => service().database.write((writer) => writer.upsert(ProgressEntity, [row])));
  };

  beforeEach(async () => {
    await removeAll(service());
    await withoutSqlCheck(() =>
      service().database.dataSource.createQueryBuilder().delete().from(ProgressEntity).execute(),
    );
  });

  it('fills a column that a migration added, resumes after a kill -9, and the service answers meanwhile', async () => {
    const records = Array.from({ length: 800 }, () => aProfile());
    await service().load('profiles', ...records);
    const documentsOf = async () =>
      new Map((await rowsOf(ProfileEntity)).map(({ id, document }) => [id, String(document)]));
    const documents = await documentsOf();
    await withoutHandles();
    const some = records.slice(0, 100);
    const handles = some.map(({ name }) => String(name));
    expect(await lookUp(handles)).toEqual([]);

    const args = ['reindex', 'profiles', '--json'];
    const killed = await BuiltProcess.start('cli.mjs', [...args, '--batch', '1'], placeOf(service()));
    await until('it has begun', async () => (await rowsOf(ProgressEntity)).length > 0);
    expect((await service().get('/platforms/live_platform/profiles?limit=50')).status).toBe(200);
    killed.signal('SIGKILL');
    await killed.ended;
    const done = (await rowsOf(ProfileEntity)).filter(({ handle }) => handle !== null).length;
    expect(done).toBeGreaterThan(0);
    expect(done).toBeLessThan(records.length);

    const { status, out, err } = await runBuiltCommand(args, placeOf(service()));
    expect([status, err]).toEqual([0, '']);
    const report = JSON.parse(out);
    expect(report).toEqual({
      kind: 'profiles',
      records: records.length,
      changed: records.length,
      unreadable: 0,
      first_unreadable: [],
      resumed_after: expect.any(Number),
      seconds: expect.any(Number),
    });
    // The server may complete the batch in flight after its client was killed.
    expect([done, done + 1]).toContain(report.resumed_after);
    expect(await lookUp(handles)).toEqual(some.map(({ id }) => id));
    expect(await documentsOf()).toEqual(documents);
    expect(await rowsOf(ProgressEntity)).toEqual([]);
  });

  it('writes nothing when nothing has changed', async () => {
    await service().load('profiles', aProfile(), aProfile({ name: null, updated_at: null }));
    const result = await runForJson(service().testDatabase, 'reindex', 'profiles');
    expect(result).toMatchObject({ records: 2, changed: 0, resumed_after: 0 });
    const { out } = await runInProcess(service().testDatabase, 'reindex', 'profiles');
    expect(out).toMatch(/^profiles: 2 read, 0 written in \d+\.\d s\n$/);
  });

  it('fills columns of content and of its rows under games', async () => {
    const [profile, game] = [uniqueId(), uniqueId()];
    const items = (['video', 'stream', 'long'] as const).map((type) =>
      aContent({ type, profile_id: profile, categories: [liveGame(game), liveGame(`${game}-2`)] }),
    );
    await service().load('content', ...items, aContent({ type: 'video', profile_id: profile }));
    const linksOf = async () => (await rowsOf(GameContentEntity)).map((row) => JSON.stringify(row)).toSorted();
    const before = await linksOf();
    for (const entity of [ContentEntity, GameContentEntity]) {
      await addAnew(service(), entity, 'kind', 'tinyint NOT NULL DEFAULT 0');
    }
    await addAnew(service(), ContentEntity, 'profile_id', nullableBytes(service(), 255));
    const lengths = async () => {
      const lists = [`profiles/${profile}`, `games/${game}`].map((of) => `/platforms/live_platform/${of}/content`);
      const answers = await Promise.all(lists.map((path) => service().get(`${path}?content_type=video`)));
      return answers.map(({ body }) => (body.payload as unknown[] | undefined)?.length ?? 0);
    };
    expect(await lengths()).toEqual([0, 0]);
    expect(await runForJson(service().testDatabase, 'reindex', 'content', '--batch', '2')).toMatchObject({
      changed: 4,
    });
    expect(await lengths()).toEqual([3, 2]);
    expect(await linksOf()).toEqual(before);
  });

  it('fills columns of games, and updates search', async () => {
    const games = [aGame({ name: 'Reindexed first' }), aGame({ name: 'Reindexed second', video_platform_id: null })];
    await service().load('games', ...games);
    const revisions = async () =>
      (await rowsOf(GameEntity)).map(({ revision }) => Number(revision)).toSorted((a, b) => a - b);
    const [revision = 0] = await revisions();
    await addAnew(service(), GameEntity, 'video_platform_id', nullableBytes(service(), 255));
    expect(await runForJson(service().testDatabase, 'reindex', 'games')).toMatchObject({ records: 2, changed: 1 });
    expect(await revisions()).toEqual([revision, revision + 1]);
    const { body } = await service().get(`/platforms/video_platform/games/${games[0]?.video_platform_id}`);
    expect(body.payload.name).toBe('Reindexed first');
    const found = await service().get('/games/search?query=reindexed&platform=video_platform');
    expect((found.body.payload as { name: string }[]).map(({ name }) => name)).toEqual(['Reindexed first']);
  });

  describe('beside imports', () => {
    it('waits for a running import, and derives the columns of what it wrote', async () => {
      const profile = aProfile({ name: 'before' });
      await service().load('profiles', profile);
      await withoutHandles();
      let release: () => void = () => undefined;
      const released = new Promise<void>((resolve) => (release = resolve));
      let hasLock = false;
      const writing = service().database.write(async (writer) => {
        await writer.lockData();
        hasLock = true;
        const after = RECORD_STORES.profiles.prepare({ ...profile, name: 'after' });
        await RECORD_STORES.profiles.write(writer, [after], new Revisions(writer));
        await released;
      });
      await until('the import has the lock', () => hasLock);
      const reindexing = runForJson(service().testDatabase, 'reindex', 'profiles');
      await new Promise((resolve) => setTimeout(resolve, 300));
      release();
      await writing;
      expect(await reindexing).toMatchObject({ records: 1, changed: 0 });
      expect(await lookUp(['after', 'before'])).toEqual([profile.id]);
    });

    it('never gives a new record the columns of an older one', async () => {
      const records = Array.from({ length: 60 }, () => aProfile());
      await service().load('profiles', ...records);
      await withoutHandles();
      let isOver = false;
      const reindexing = runForJson(service().testDatabase, 'reindex', 'profiles', '--batch', '1').finally(
        () => (isOver = true),
      );
      let rounds = 0;
      for (; !isOver; rounds += 1) {
        const statistics = { followers: rounds, views_estimated: null };
        const changed = records.map((record) => ({ ...record, name: `${record.id}-${rounds}`, statistics }));
        await service().load('profiles', ...changed);
      }
      await reindexing;
      expect(rounds).toBeGreaterThan(1);
      for (const { handle, followers, document } of await rowsOf(ProfileEntity)) {
        const { name, statistics } = JSON.parse(String(document));
        expect([String(handle), Number(followers)]).toEqual([name, statistics.followers]);
      }
    });

    it('starts over after `forget`, which keeps no ID', async () => {
      const { id } = aProfile();
      await service().load('profiles', aProfile({ id }), aProfile());
      await interrupt('any', id);
      await runForJson(service().testDatabase, 'forget', 'live_platform', id, '--yes');
      expect(await rowsOf(ProgressEntity)).toEqual([]);
    });
  });

  it('starts over when another version or schema was interrupted', async () => {
    await service().load('profiles', aProfile());
    await interrupt('0.9.0 Earlier', '9'.repeat(20));
    await withoutHandles();
    const result = await runForJson(service().testDatabase, 'reindex', 'profiles');
    expect(result).toMatchObject({ records: 1, changed: 1, resumed_after: 0 });
  });

  it('treats missing members as unknown, and skips what an import would reject, with status 2', async () => {
    const [lacking, bad] = [uniqueId(), uniqueId()];
    const documents = [
      `{ "platform_id": "live_platform", "id": "${lacking}", "name": "Ada" }`,
      `{"platform_id":"live_platform","id":"${bad}","name":"Eve","surplus":1}`,
    ];
    const columns = { platform: 1, handle: null, followers: 3, updated_at: 0, last_active_at: 0 };
    const rows = [lacking, bad].map((id, at) => ({ ...columns, id, document: String(documents[at]) }));
    await withoutSqlCheck(() => service().database.write((writer) => writer.upsert(ProfileEntity, rows)));
    const { status, out } = await runInProcess(service().testDatabase, 'reindex', 'profiles');
    expect([status, out]).toEqual([
      2,
      expect.stringMatching(/^profiles: 2 read, 1 written in .* s; 1 left unchanged, because an import would reject/),
    ]);
    // TypeORM cannot read the sentinel for unknown values on SQLite.
    const sql = 'SELECT id, handle, followers, document FROM profiles';
    const read = await withoutSqlCheck(() => service().database.all<ProfileEntity>({ sql }, []));
    const stored = new Map(read.map((row) => [String(row.id), row]));
    const [first, second] = [present(stored.get(lacking)), present(stored.get(bad))];
    expect([String(first.handle), Number(first.followers)]).toEqual(['ada', -(2 ** 53)]);
    expect([second.handle, Number(second.followers)]).toEqual([null, 3]);
    expect([first, second].map(({ document }) => String(document))).toEqual(documents);
  });

  it('skips damaged documents, leaves their rows as they are, and lists the first', async () => {
    const ids = Array.from({ length: 8 }, () => uniqueId()).toSorted();
    const good = [aProfile({ id: ids[0] }), aProfile({ id: ids[7] })];
    await service().load('profiles', ...good);
    const damaged = ['', '{"id":', 'null', '7', '[]', JSON.stringify(aProfile({ id: ids[0], name: 'other' }))];
    const columns = { platform: 1, handle: 'kept', followers: 3, updated_at: 0, last_active_at: 0 };
    const rows = damaged.map((document, at) => ({ ...columns, id: String(ids[at + 1]), document }));
    await withoutHandles();
    await withoutSqlCheck(() => service().database.write((writer) => writer.upsert(ProfileEntity, rows)));
    const before = (await rowsOf(ProfileEntity)).filter(({ handle }) => handle !== null);
    const { status, out } = await runInProcess(service().testDatabase, 'reindex', 'profiles', '--batch', '2', '--json');
    expect([status, JSON.parse(out)]).toMatchObject([
      2,
      { records: 8, changed: 2, unreadable: 6, first_unreadable: ids.slice(1, 6).map((id) => `live_platform ${id}`) },
    ]);
    const after = await rowsOf(ProfileEntity);
    expect(after.filter(({ handle }) => String(handle) === 'kept')).toEqual(before);
    expect(await lookUp(good.map(({ name }) => String(name)))).toEqual([ids[0], ids[7]]);
    const people = await runInProcess(service().testDatabase, 'reindex', 'profiles');
    const listed = ids.slice(1, 6).map((id) => `live_platform ${id}`);
    expect(people.out).toContain(`; 6 left unchanged, because an import would reject them: ${listed.join(', ')}, …\n`);
  });

  it.each(['0', '8193', 'x', '1.5'])('rejects --batch %s', async (batch) => {
    const { status, err } = await runInProcess(service().testDatabase, 'reindex', 'profiles', '--batch', batch);
    expect([status, err]).toEqual([1, expect.stringContaining('whole number from 1 to 8192')]);
  });
});
