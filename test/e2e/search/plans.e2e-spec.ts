import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { IndexRecords } from '../../../src/features/search/index-records.js';
import { recording } from '../../support/lists/list-cases.js';
import { aContent, aProfile, uniqueId } from '../../support/records/builders.js';
import { TestService } from '../../support/service/test-service.js';

describe('the records of changed creators on SQLite', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await TestService.start('sqlite');
  });
  afterAll(() => service.stop());

  it('are found by index, however much content others have', async () => {
    const ids = Array.from({ length: 20 }, uniqueId);
    await service.load('profiles', ...ids.map((id) => aProfile({ id })));
    await service.load('content', ...ids.map((id) => aContent({ content_id: `${id}-1`, profile_id: id })));
    const { recorded, database } = recording(service.database);
    const read: unknown[] = [];
    for await (const page of new IndexRecords(database).readSome('live_platform', ids)) read.push(...page);
    expect(read).toHaveLength(ids.length);
    expect(recorded).toHaveLength(7);
    for (const { sql, values } of recorded) {
      const plan = await service.database.all<{ detail: string }>({ sql: `EXPLAIN QUERY PLAN ${sql}` }, values);
      const details = plan.map(({ detail }) => detail);
      expect([sql, details]).toEqual([
        sql,
        [
          'SCAN json_each VIRTUAL TABLE INDEX 1:',
          expect.stringMatching(/^SEARCH .*\(platform=\? AND (profile_)?id=\?\)$/),
        ],
      ]);
    }
  });
});
