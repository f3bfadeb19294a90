import { existsSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { ContentEntity } from '../../../src/features/content/content.entity.js';
import { MAGIC } from '../../../src/features/search/segments/segment-file.mjs';
import { platformCode } from '../../../src/model/platforms.js';
import { Revisions } from '../../../src/operator/import/revisions.js';
import { aContent, aProfile, liveGame, uniqueId } from '../../support/records/builders.js';
import { runForJson } from '../../support/service/command.js';
import { describeService } from '../../support/service/test-service.js';
import { filesOf, idsFound, SEARCH_PATH, withIndex } from '../../support/search/own-index.js';
import { until } from '../../support/until.js';

const platform = platformCode('live_platform');

describeService('the search index', (service) => {
  const load = async (): Promise<string> => {
    const id = uniqueId();
    await service().load('profiles', aProfile({ id, description: `life ${id}` }));
    return id;
  };

  it('is kept when the service stops, and follows what was imported meanwhile', async () => {
    const before = await load();
    await withIndex(service(), 'kept', (second) => idsFound(second, { text: before }));
    const builtAt = (folder: string) => JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')).builtAt;
    const first = builtAt(join(service().testDatabase.folder, 'kept', 'search'));
    const later = await load();
    await withIndex(service(), 'kept', async (second, folder) => {
      expect(await idsFound(second, { text: before })).toEqual([before]);
      expect(await idsFound(second, { text: later })).toEqual([later]);
      expect(builtAt(folder)).toBe(first);
    });
  });

  it('is built again when its folder is deleted while the service runs', async () => {
    const id = await load();
    await withIndex(service(), 'deleted', async (second, folder) => {
      expect(await idsFound(second, { text: id })).toEqual([id]);
      for (const name of readdirSync(folder)) if (name !== 'lock.sqlite') rmSync(join(folder, name));
      await until(
        'it is found again',
        async () => (await second.post(SEARCH_PATH, { text: id })).body.payload?.length === 1,
      );
      expect(existsSync(join(folder, 'manifest.json'))).toBe(true);
    });
  });

  it.each<[damage: string, apply: (path: string) => void]>([
    ['cut short', (path) => truncateSync(path, statSync(path).size - 100)],
    ['empty', (path) => truncateSync(path, 0)],
    ['missing', (path) => rmSync(path)],
    [
      'changed in one byte',
      (path) => {
        const bytes = readFileSync(path);
        bytes.writeUInt8(bytes.readUInt8(bytes.length >> 1) ^ 1, bytes.length >> 1);
        writeFileSync(path, bytes);
      },
    ],
  ])('is built again at a start with a file that is %s', async (damage, apply) => {
    const id = await load();
    const name = `damaged-${damage.replaceAll(' ', '-')}`;
    const folder = await withIndex(service(), name, async (second, path) => {
      expect(await idsFound(second, { text: id })).toEqual([id]);
      return path;
    });
    for (const path of filesOf(folder, '.segment')) apply(path);
    await withIndex(service(), name, async (second) => {
      expect(await idsFound(second, { text: id })).toEqual([id]);
    });
  });

  it.each<[what: string, change: (manifest: Record<string, unknown>) => unknown]>([
    ['is of another version', (manifest) => ({ ...manifest, format: 'creator-data search 0' })],
    ['is of another store', (manifest) => ({ ...manifest, store: 'another' })],
    ['is ahead of the store', (manifest) => ({ ...manifest, revisions: { profiles: 1_000_000 } })],
    ['is from before a restoration', (manifest) => ({ ...manifest, mark: -1 })],
    ['is no JSON', () => '{'],
    ['lacks a member', ({ revisions, ...manifest }) => ({ ...manifest, earlier: revisions })],
    ['has no list of files', (manifest) => ({ ...manifest, platforms: { live_platform: null } })],
    ['has a file without a name', (manifest) => ({ ...manifest, platforms: { live_platform: [null] } })],
  ])('is built again at a start where it %s', async (what, change) => {
    const id = await load();
    const name = what.replaceAll(' ', '-');
    const folder = await withIndex(service(), name, async (second, path) => {
      await second.untilSearchable();
      expect(await idsFound(second, { text: id })).toEqual([id]);
      return path;
    });
    const manifest = join(folder, 'manifest.json');
    const changed = change(JSON.parse(readFileSync(manifest, 'utf8')));
    writeFileSync(manifest, typeof changed === 'string' ? changed : JSON.stringify(changed));
    await withIndex(service(), name, async (second) => {
      await second.untilSearchable();
      expect(await idsFound(second, { text: id })).toEqual([id]);
      expect(JSON.parse(readFileSync(manifest, 'utf8'))).toMatchObject({
        mark: 0,
        format: MAGIC,
      });
    });
  });

  it('is shared by two processes, of which one writes it, and taken over by the other', async () => {
    const path = join(service().testDatabase.folder, 'shared');
    const [writer, reader] = [
      await service().startSecond({ DATA_DIR: path }),
      await service().startSecond({ DATA_DIR: path }),
    ];
    try {
      const id = await load();
      expect(await idsFound(writer, { text: id })).toEqual([id]);
      await until('the other one finds it', async () => (await idsFound(reader, { text: id })).length === 1);
    } finally {
      await writer.stop();
    }
    const later = await load();
    await until('it is found after the stop', async () => (await idsFound(reader, { text: later })).length === 1);
    await reader.stop();
  });

  it('merges its files while many small changes come', async () => {
    await withIndex(service(), 'merged', async (second, folder) => {
      const ids: string[] = [];
      for (let round = 0; round < 12; round++) {
        const id = await load();
        ids.push(id);
        expect(await idsFound(second, { text: id })).toEqual([id]);
      }
      expect(filesOf(folder, '.segment').length).toBeLessThan(8);
      for (const id of ids) expect(await idsFound(second, { text: id })).toEqual([id]);
    });
  });

  it('loses the games of content that was purged', async () => {
    const id = await load();
    const old = aContent({
      profile_id: id,
      categories: [liveGame(`g${id}`)],
      created_at: '2020-01-01T00:00:00.000Z',
    });
    await service().load('content', old);
    const filters = { game_ids: [`g${id}`] };
    await until('the game is found', async () => (await idsFound(service(), { filters })).length === 1);
    await service().database.write(async (writer) => {
      await writer.lockData();
      await writer.remove(ContentEntity, ['platform', 'content_id'], [{ platform, content_id: old.content_id }]);
      await new Revisions(writer).addDeleted('content', platform, [old.content_id]);
    });
    await until('the game is gone', async () => (await idsFound(service(), { filters })).length === 0);
    expect(await idsFound(service(), { text: id })).toEqual([id]);
  });

  it('costs search alone while its folder cannot be written, and comes back', async () => {
    const id = await load();
    const path = join(service().testDatabase.folder, 'blocked');
    await withIndex(service(), 'blocked', (second) => idsFound(second, {}));
    rmSync(join(path, 'search'), { recursive: true });
    // A file in place of the folder, because the tests may run as root, whom permissions do not stop.
    writeFileSync(join(path, 'search'), '');
    const blocked = await service().startSecond({ DATA_DIR: path });
    try {
      const refused = await blocked.post(SEARCH_PATH, { text: id });
      expect([refused.status, refused.headers['retry-after']]).toEqual([503, '5']);
      expect((await blocked.get(`/platforms/live_platform/profiles/${id}`)).status).toBe(200);
      const { status, body } = await blocked.get('/health');
      expect([status, body.payload.status, body.payload.checks.search]).toEqual([200, 'ok', 'down']);
      rmSync(join(path, 'search'));
      await until('it is found again', async () => (await blocked.post(SEARCH_PATH, { text: id })).status === 200);
      expect((await blocked.get('/health')).body.payload.checks.search).toBe('up');
    } finally {
      await blocked.stop();
    }
  });

  it('is described by doctor', async () => {
    await idsFound(service(), {});
    const { checks } = await runForJson(service().testDatabase, 'doctor');
    expect(checks).toContainEqual(
      expect.objectContaining({
        name: 'search',
        state: 'good',
        message: expect.stringMatching(/creators, \d+ MiB, built/),
      }),
    );
  });
});
