import { beforeAll, describe, expect, it } from '@jest/globals';
import { Column, DataSource, Entity, Index, type EntityMetadata } from 'typeorm';
import { UNKNOWN_SORT_VALUE, type Dialect } from './columns.js';
import { KeysetList, type PageRequest } from './keyset.js';
import { EmbeddedConnection } from './sqlite/embedded-connection.js';

@Entity('t')
@Index('by_date', ['platform', 'at', 'id'])
@Index('by_owner', ['platform', 'profile_id', 'kind', 'at', 'id'])
@Index('by_all', ['at', 'kind', 'id'])
class Item {
  @Column({ type: 'int', primary: true }) platform: number;
  @Column({ type: 'text', primary: true }) id: string;
  @Column({ type: 'text' }) profile_id: string;
  @Column({ type: 'int' }) kind: number;
  @Column({ type: 'bigint' }) at: number;
}

let metadata: EntityMetadata;

beforeAll(async () => {
  const dataSource = new DataSource({
    type: 'better-sqlite3',
    driver: EmbeddedConnection,
    database: ':memory:',
    entities: [Item],
  });
  await dataSource.initialize();
  metadata = dataSource.getMetadata(Item);
  await dataSource.destroy();
});

type Key = 'at' | 'id';
type Filters = readonly ('platform' | 'profile_id' | 'kind')[];

const list = (dialect: Dialect, filters: Filters = ['platform'], keys: readonly [Key, ...Key[]] = ['at', 'id']) =>
  new KeysetList<Pick<Item, Key>, Key>(metadata, dialect, { filters, keys, columns: ['id'] } as never);

const page = (given: Partial<PageRequest<Pick<Item, Key>>> = {}): PageRequest<Pick<Item, Key>> => ({
  filters: [1],
  order: 'desc',
  after: null,
  from: null,
  to: null,
  limit: 10,
  ...given,
});

/** Compiles the statement of a page. */
function compile(request: PageRequest<Pick<Item, Key>>, dialect: Dialect, filters?: Filters) {
  const { statement, values } = list(dialect, filters).page(request);
  return { sql: statement.sql, values };
}

const LOWEST = UNKNOWN_SORT_VALUE + 1;

describe('the statement of a page', () => {
  it('reads one row more than the limit, in one direction', () => {
    expect(compile(page(), 'sqlite')).toEqual({
      sql: 'SELECT id, at FROM t INDEXED BY by_date WHERE platform = ? ORDER BY at DESC, id DESC LIMIT ?',
      values: [1, 11],
    });
    const { sql, values } = compile(page({ order: 'asc', limit: 1 }), 'mysql');
    expect([sql, values]).toEqual([expect.stringMatching(/ ORDER BY at ASC, id ASC LIMIT \?$/), [1, 2]]);
  });

  it('is ascending by default', () => {
    const { statement } = list('sqlite').page({ filters: [1], limit: 10 });
    expect(statement.sql).toBe(
      'SELECT id, at FROM t INDEXED BY by_date WHERE platform = ? ORDER BY at ASC, id ASC LIMIT ?',
    );
  });

  it('binds the filters in the order of their declaration', () => {
    const request = page({ filters: [1, "x'", 2] });
    expect(compile(request, 'sqlite', ['platform', 'profile_id', 'kind'])).toEqual({
      sql:
        'SELECT id, at FROM t INDEXED BY by_owner WHERE platform = ? AND profile_id = ? AND kind = ? ' +
        'ORDER BY at DESC, id DESC LIMIT ?',
      values: [1, "x'", 2, 11],
    });
  });

  it('is compiled once per shape of request', () => {
    const items = list('sqlite');
    const { statement } = items.page(page({ after: { at: 5, id: 'b' } }));
    expect(items.page(page({ filters: [2], after: { at: 6, id: 'c' }, limit: 3 })).statement).toBe(statement);
    expect(items.page(page()).statement).not.toBe(statement);
  });

  it('starts after the cursor, with the condition for which each dialect uses an index range', () => {
    const after = { at: 5, id: 'b' };
    expect(compile(page({ after }), 'sqlite')).toMatchObject({
      sql: expect.stringContaining('WHERE platform = ? AND (at, id) < (?, ?) ORDER'),
      values: [1, 5, 'b', 11],
    });
    expect(compile(page({ after, order: 'asc' }), 'mysql')).toMatchObject({
      sql: expect.stringContaining('WHERE platform = ? AND (at > ? OR (at = ? AND id > ?)) ORDER'),
      values: [1, 5, 5, 'b', 11],
    });
  });

  it.each<[string, Partial<PageRequest<Pick<Item, Key>>>, string, readonly unknown[]]>([
    ['applies a lower bound', { from: 3 }, 'at >= ?', [3]],
    ['excludes unknown values under an upper bound', { to: 9 }, 'at >= ? AND at <= ?', [LOWEST, 9]],
    ['applies both bounds', { from: 3, to: 9 }, 'at >= ? AND at <= ?', [3, 9]],
  ])('%s', (_, given, condition, values) => {
    for (const order of ['asc', 'desc'] as const) {
      expect(compile(page({ ...given, order }), 'sqlite')).toMatchObject({
        sql: expect.stringContaining(`WHERE platform = ? AND ${condition} ORDER`),
        values: [1, ...values, 11],
      });
    }
  });

  const beyond = { desc: '(at, id) < (?, ?)', asc: '(at, id) > (?, ?)' };

  it.each<[string, Partial<PageRequest<Pick<Item, Key>>>, string, readonly unknown[]]>([
    ['desc: a cursor within the bounds', { after: { at: 5, id: 'b' } }, `at >= ? AND ${beyond.desc}`, [3, 5, 'b']],
    ['desc: a cursor at the bound', { after: { at: 9, id: 'b' } }, `at >= ? AND ${beyond.desc}`, [3, 9, 'b']],
    ['desc: a cursor before the bound', { after: { at: 10, id: 'b' } }, 'at >= ? AND at <= ?', [3, 9]],
    ['asc: a cursor within', { order: 'asc', after: { at: 5, id: 'b' } }, `at <= ? AND ${beyond.asc}`, [9, 5, 'b']],
    [
      'asc: a cursor at the bound',
      { order: 'asc', after: { at: 3, id: 'b' } },
      `at <= ? AND ${beyond.asc}`,
      [9, 3, 'b'],
    ],
    ['asc: a cursor before the bound', { order: 'asc', after: { at: 2, id: 'b' } }, 'at >= ? AND at <= ?', [3, 9]],
  ])('has one condition per end of the range, the tighter one: %s', (_, given, condition, values) => {
    expect(compile(page({ from: 3, to: 9, ...given }), 'sqlite')).toMatchObject({
      sql: expect.stringContaining(`WHERE platform = ? AND ${condition} ORDER`),
      values: [1, ...values, 11],
    });
  });

  it('starts after a negative cursor without other bounds', () => {
    const after = { at: -5, id: 'b' };
    expect(compile(page({ order: 'asc', after }), 'sqlite').values).toEqual([1, -5, 'b', 11]);
  });

  it('excludes unknown values under an upper bound, even with a cursor among them', () => {
    const after = { at: UNKNOWN_SORT_VALUE, id: 'b' };
    expect(compile(page({ order: 'asc', to: 9, after }), 'sqlite').values).toEqual([1, LOWEST, 9, 11]);
  });
});

describe('a list with several sort keys', () => {
  it('starts after the last row of the previous page, comparing all keys', () => {
    const after = { at: 5, kind: 2, id: 'b' };
    const by = { filters: [], keys: ['at', 'kind', 'id'], columns: ['id'] } as const;
    const request = { ...page(), filters: [], order: 'asc', after, from: 3 } as const;
    const items = (dialect: Dialect) =>
      new KeysetList<Omit<Item, 'platform'>, 'at' | 'kind' | 'id'>(metadata, dialect, by);
    expect(items('sqlite').page(request)).toEqual({
      statement: {
        sql:
          'SELECT id, at, kind FROM t INDEXED BY by_all WHERE (at, kind, id) > (?, ?, ?) ' +
          'ORDER BY at ASC, kind ASC, id ASC LIMIT ?',
      },
      values: [5, 2, 'b', 11],
    });
    const { statement, values } = items('mysql').page(request);
    expect(statement.sql).toContain('WHERE (at > ? OR (at = ? AND (kind > ? OR (kind = ? AND id > ?)))) ORDER');
    expect(values).toEqual([5, 5, 2, 2, 'b', 11]);
  });
});

describe('a list without filters', () => {
  it('has no condition on its first page', () => {
    const by = { filters: [], keys: ['at', 'kind', 'id'], columns: ['id'] } as const;
    const items = new KeysetList<Omit<Item, 'platform'>, 'at' | 'kind' | 'id'>(metadata, 'sqlite', by);
    expect(items.page({ filters: [], limit: 1 }).statement.sql).toBe(
      'SELECT id, at, kind FROM t INDEXED BY by_all ORDER BY at ASC, kind ASC, id ASC LIMIT ?',
    );
  });
});

describe('the index of a page', () => {
  it('is hinted in the syntax of each dialect, except for the primary key in SQLite', () => {
    expect(compile(page(), 'mysql').sql).toContain(' FROM t FORCE INDEX (by_date) WHERE ');
    expect(compile(page(), 'sqlite').sql).toContain(' FROM t INDEXED BY by_date WHERE ');
    const byId = (dialect: Dialect) => list(dialect, ['platform'], ['id']).page(page()).statement.sql;
    expect(byId('mysql')).toContain(' FROM t FORCE INDEX (PRIMARY) WHERE ');
    expect(byId('sqlite')).toContain(' FROM t WHERE ');
  });

  it('must consist of exactly the filters and keys', () => {
    expect(() => list('mysql', ['kind'])).toThrow('t has no index of (kind,at,id)');
    expect(() => list('mysql', ['platform'], ['at'])).toThrow('t has no index of (platform,at)');
  });
});
