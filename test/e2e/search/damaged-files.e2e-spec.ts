import { closeSync, openSync, statSync, truncateSync, writeFileSync, writeSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { aProfile, uniqueId } from '../../support/records/builders.js';
import { filesOf, idsFound, SEARCH_PATH, withIndex } from '../../support/search/own-index.js';
import { describeService, type TestService } from '../../support/service/test-service.js';
import { until } from '../../support/until.js';

const CREATORS = 3000;

/** Word that is no beginning of another creator's. */
const wordOf = (id: string | undefined): string => `w${id}x`;

/** Overwrites the middle of a file in place, where a process has it open. */
function overwrite(path: string, byte: number): void {
  const { size } = statSync(path);
  const file = openSync(path, 'r+');
  writeSync(file, Buffer.alloc(size - 20_000, byte), 0, size - 20_000, 10_000);
  closeSync(file);
}

describeService('the search index, damaged while a service uses it', (service) => {
  const load = async (count: number): Promise<string[]> => {
    const ids = Array.from({ length: count }, uniqueId);
    await service().load('profiles', ...ids.map((id) => aProfile({ id, description: wordOf(id) })));
    return ids;
  };
  const find = (second: TestService, id: string | undefined) =>
    second.post(SEARCH_PATH, { text: wordOf(id), count: true });
  const untilFound = (second: TestService, id: string | undefined) =>
    until('it is found', async () => {
      const { status, body } = await find(second, id);
      expect([200, 503]).toContain(status);
      return status === 200 && body.meta.count?.value === 1;
    });

  it('is built again if a file is cut short, and health tells', async () => {
    const [id] = await load(CREATORS);
    await withIndex(service(), 'cut', async (second, folder) => {
      expect(await idsFound(second, { text: wordOf(id) })).toEqual([id]);
      for (const path of filesOf(folder, '.segment')) truncateSync(path, 2000);
      expect((await find(second, id)).status).toBe(503);
      await untilFound(second, id);
      await until('health tells', async () => (await second.get('/health')).body.payload.checks.search === 'up');
    });
  });

  it.each([0, 0xff])('is built again if bytes of a file are overwritten with %d and creators change', async (byte) => {
    const ids = await load(CREATORS);
    await withIndex(service(), `overwritten-${byte}`, async (second, folder) => {
      expect(await idsFound(second, { text: wordOf(ids[0]) })).toEqual([ids[0]]);
      for (const path of filesOf(folder, '.segment')) overwrite(path, byte);
      // Most of them, so that the file is merged.
      const changed = ids.map((id) => aProfile({ id, description: wordOf(id), display_name: `again ${wordOf(id)}` }));
      await service().load('profiles', ...changed);
      for (const id of ids.slice(0, 3)) await untilFound(second, id);
    });
  });

  it.each<[damage: string, apply: (path: string) => void]>([
    ['empty', (path) => truncateSync(path, 0)],
    ['all zeros', (path) => writeFileSync(path, Buffer.alloc(statSync(path).size))],
  ])('is built again at a start where the list of replaced creators is %s', async (damage, apply) => {
    const ids = await load(CREATORS);
    const name = `replaced-${damage.replaceAll(' ', '-')}`;
    const folder = await withIndex(service(), name, async (second, path) => {
      expect(await idsFound(second, { text: wordOf(ids[0]) })).toEqual([ids[0]]);
      const changed = ids.slice(0, 10).map((id) => aProfile({ id, description: `other ${wordOf(id)}` }));
      await service().load('profiles', ...changed);
      await until(
        'it is found',
        async () => (await idsFound(second, { text: `other ${wordOf(ids[0])}` })).length === 1,
      );
      return path;
    });
    expect(filesOf(folder, '.dead')).not.toEqual([]);
    for (const path of filesOf(folder, '.dead')) apply(path);
    await withIndex(service(), name, async (second) => {
      expect(await idsFound(second, { text: wordOf(ids[0]) })).toEqual([ids[0]]);
      expect((await find(second, ids[0])).body.meta.count.value).toBe(1);
    });
  });
});
