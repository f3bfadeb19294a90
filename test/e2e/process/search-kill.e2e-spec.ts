import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { httpRequest } from '../../support/http/request.js';
import { ServiceProcess } from '../../support/process/processes.js';
import { creatorOf } from '../../support/search/creators.js';
import { findByScan } from '../../support/search/oracle.js';
import { runForJson } from '../../support/service/command.js';
import { createTestDatabase } from '../../support/stores/test-database.js';
import { until } from '../../support/until.js';

const CREATORS = 5000;
/** Times after the start of the service at which it is killed, so that some are within the build. */
const KILLED_AFTER_MS = [0, 50, 100, 200, 400, 800];

it('a service that is killed while it builds the search index has a complete one after the next start', async () => {
  const database = await createTestDatabase('sqlite');
  const folder = mkdtempSync(join(database.folder, 'search-'));
  const settings = { DATABASE_URL: database.url, DATA_DIR: folder };
  try {
    await runForJson(database, 'migrate');
    const { key } = await runForJson(database, 'keys', 'create', '--name', 'x', '--rate-limit', '1000000');
    const creators = Array.from({ length: CREATORS }, (_, number) => creatorOf(number));
    const file = join(database.folder, 'creators.ndjson');
    writeFileSync(file, creators.map(({ profile }) => `${JSON.stringify(profile)}\n`).join(''));
    await runForJson(database, 'import', 'profiles', file);
    for (const ms of KILLED_AFTER_MS) {
      const killed = await ServiceProcess.start(settings);
      await delay(ms);
      await killed.stop('SIGKILL');
      if (ms % 100 === 0) rmSync(join(folder, 'search', 'manifest.json'), { force: true });
    }
    const service = await ServiceProcess.start(settings);
    const search = (body: object) =>
      httpRequest(service.origin, '/platforms/live_platform/profiles/search', {
        method: 'POST',
        headers: { 'x-api-key': key, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    await until('search answers', async () => (await search({})).status === 200);
    const body = { filters: { language: ['de'] }, sort: 'last_active_at' as const, limit: 50, count: true };
    const expected = findByScan(creators, body);
    const { payload, meta } = (await search(body)).body;
    expect(meta.count.value).toBe(expected.length);
    expect(payload.map(({ id }: { id: string }) => id)).toEqual(expected.slice(0, 50).map(({ profile }) => profile.id));
    await service.stop();
  } finally {
    await database.drop();
  }
});
