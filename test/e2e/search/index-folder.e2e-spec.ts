import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { aProfile, uniqueId } from '../../support/records/builders.js';
import { filesOf, idsFound, SEARCH_PATH, withIndex } from '../../support/search/own-index.js';
import { runForJson } from '../../support/service/command.js';
import { describeService, TestService } from '../../support/service/test-service.js';
import { until } from '../../support/until.js';

describeService('the folder of the search index', (service) => {
  const load = async (): Promise<string> => {
    const id = uniqueId();
    await service().load('profiles', aProfile({ id, description: `folder ${id}` }));
    return id;
  };

  it('is not read by a process whose store is another one', async () => {
    const path = join(service().testDatabase.folder, 'of-another');
    const id = await load();
    const writer = await service().startSecond({ DATA_DIR: path });
    const other = await TestService.start('sqlite', { DATA_DIR: path });
    try {
      expect(await idsFound(writer, { text: id })).toEqual([id]);
      expect((await other.post(SEARCH_PATH, { count: true })).status).toBe(503);
      await until('health tells', async () => (await other.get('/health')).body.payload.checks.search === 'down');
    } finally {
      await other.stop();
      await writer.stop();
    }
  });

  it('has one writer again after its folder was deleted under two processes', async () => {
    const path = join(service().testDatabase.folder, 'two-writers');
    const [first, second] = [
      await service().startSecond({ DATA_DIR: path }),
      await service().startSecond({ DATA_DIR: path }),
    ];
    try {
      await idsFound(first, {});
      rmSync(join(path, 'search'), { recursive: true });
      for (let round = 0; round < 5; round++) {
        const id = await load();
        await until('both find it', async () => {
          const answers = await Promise.all([first, second].map((one) => one.post(SEARCH_PATH, { text: id })));
          return answers.every(({ status, body }) => status === 200 && body.payload.length === 1);
        });
      }
      expect(await idsFound(second, {})).toEqual(await idsFound(first, {}));
    } finally {
      await first.stop();
      await second.stop();
    }
  });

  it('has no words and no ID of a creator who was forgotten, in no file', async () => {
    const id = `f${uniqueId()}`;
    await service().load(
      'profiles',
      aProfile({ id, description: `words of ${id}` }),
      ...Array.from({ length: 20 }, () => aProfile()),
    );
    await withIndex(service(), 'forgotten', async (second, folder) => {
      await second.untilSearchable();
      const isWritten = () =>
        [...filesOf(folder, '.segment'), ...filesOf(folder, '.dead')].some((file) => readFileSync(file).includes(id));
      expect(isWritten()).toBe(true);
      await runForJson(service().testDatabase, 'forget', 'live_platform', id, '--yes');
      await until('it is erased', () => !isWritten());
    });
  });
});
