import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fillLists } from '../../support/lists/list-data.js';
import { TestService } from '../../support/service/test-service.js';
import {
  indexOfCase,
  listCases,
  readList,
  recording,
  type ListCase,
  type SentStatement,
} from '../../support/lists/list-cases.js';
import { present } from '../../support/present.js';

const LIMIT = 10;

describe('lists on SQLite read only what they return', () => {
  let service: TestService;
  let narrow: { profile: string; game: string };

  beforeAll(async () => {
    service = await TestService.start('sqlite');
    narrow = await fillLists(service);
  });
  afterAll(() => service.stop());

  async function statementsOf(list: ListCase): Promise<Record<'first' | 'deep', SentStatement>> {
    const { recorded, database } = recording(service.database);
    await readList(database, list, { limit: LIMIT, ...narrow });
    const { nextCursor } = await readList(service.database, list, { limit: 100, ...narrow });
    expect(nextCursor).not.toBeNull();
    await readList(database, list, { limit: LIMIT, cursor: present(nextCursor), ...narrow });
    expect(recorded).toHaveLength(2);
    return { first: present(recorded[0]), deep: present(recorded[1]) };
  }

  async function planOf({ sql, values }: SentStatement): Promise<string[]> {
    const rows = await service.database.all<{ detail: string }>({ sql: `EXPLAIN QUERY PLAN ${sql}` }, values);
    return rows.map(({ detail }) => detail);
  }

  it.each(listCases())('$title', async (list) => {
    const { first, deep } = await statementsOf(list);
    const { tableName } = service.database.dataSource.getMetadata(list.list.entity);
    for (const statement of [first, deep]) {
      const [page, ...others] = await planOf(statement);
      // An index search in index order, with every filter in its constraint.
      const name = indexOfCase(service, list);
      const index = name === 'PRIMARY' ? 'PRIMARY KEY' : `INDEX ${name}`;
      expect(page).toMatch(new RegExp(`^SEARCH ${tableName} USING ${index} \\(`));
      expect(others.join('\n')).not.toMatch(/TEMP B-TREE|SCAN/);
      expect(page).not.toMatch(/TEMP B-TREE|SCAN/);
      for (const column of list.equal) expect(page).toContain(`${column}=?`);
    }
    // The cursor is a point in the index: both the sort value and the ID are in the constraint.
    const [page] = await planOf(deep);
    const beyond = list.order === 'desc' ? '<' : '>';
    expect(page).toContain(`(${list.sort},${list.list.id})${beyond}(?,?)`);
  });
});
