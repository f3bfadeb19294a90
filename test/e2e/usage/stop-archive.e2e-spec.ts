import { once } from 'node:events';
import { mkdirSync, readdirSync, watch } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { runInProcess } from '../../support/service/command.js';
import { describeService } from '../../support/service/test-service.js';

describeService('usage archive that a signal stops', (service) => {
  it('leaves nothing behind', async () => {
    const parent = join(service().testDatabase.folder, 'archives');
    mkdirSync(parent);
    const watcher = watch(parent);
    const others = process.listeners('SIGTERM');
    const out = join(parent, '2014-01');
    const archived = runInProcess(service().testDatabase, 'usage', 'archive', '--month', '2014-01', '--out', out);
    await once(watcher, 'change');
    watcher.close();
    expect(readdirSync(parent)).toEqual([expect.stringMatching(/^2014-01\.part-/)]);
    const added = process.listeners('SIGTERM').filter((listener) => !others.includes(listener));
    expect(added).toHaveLength(1);
    for (const listener of added) listener('SIGTERM');
    expect(await archived).toEqual({
      status: 1,
      out: '',
      err: 'stopped, and nothing was written: run the same command again\n',
    });
    expect(readdirSync(parent)).toEqual([]);
  });
});
