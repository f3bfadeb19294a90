import { describe, expect, it } from '@jest/globals';
import { UNKNOWN_SORT_VALUE } from './columns.js';
import { keysetStatement, useIndex, type KeysetPage } from './keyset.js';

const page = (given: Partial<KeysetPage> = {}): KeysetPage => ({
  select: 'SELECT id FROM t',
  filters: [['platform', 1]],
  sortColumn: 'at',
  idColumn: 'id',
  order: 'desc',
  after: null,
  from: null,
  to: null,
  limit: 10,
  ...given,
});

const LOWEST = UNKNOWN_SORT_VALUE + 1;

describe('the statement of a page', () => {
  it('asks for one row more than the limit, in one direction', () => {
    expect(keysetStatement(page(), 'sqlite')).toEqual({
      sql: 'SELECT id FROM t WHERE platform = ? ORDER BY at DESC, id DESC LIMIT 11',
      values: [1],
    });
    expect(keysetStatement(page({ order: 'asc', limit: 1 }), 'mysql').sql).toMatch(/ ORDER BY at ASC, id ASC LIMIT 2$/);
  });

  it('binds the filters in their order', () => {
    const filters = [
      ['platform', 1],
      ['profile_id', "x'"],
      ['kind', 2],
    ] as const;
    expect(keysetStatement(page({ filters }), 'sqlite')).toEqual({
      sql: 'SELECT id FROM t WHERE platform = ? AND profile_id = ? AND kind = ? ORDER BY at DESC, id DESC LIMIT 11',
      values: [1, "x'", 2],
    });
  });

  it('starts behind the cursor, in the words that each database turns into a range', () => {
    const after = { value: 5, id: 'b' };
    expect(keysetStatement(page({ after }), 'sqlite')).toMatchObject({
      sql: expect.stringContaining('WHERE platform = ? AND (at, id) < (?, ?) ORDER'),
      values: [1, 5, 'b'],
    });
    expect(keysetStatement(page({ after, order: 'asc' }), 'mysql')).toMatchObject({
      sql: expect.stringContaining('WHERE platform = ? AND (at > ? OR (at = ? AND id > ?)) ORDER'),
      values: [1, 5, 5, 'b'],
    });
  });

  it.each<[string, Partial<KeysetPage>, string, readonly unknown[]]>([
    ['a lower bound', { from: 3 }, 'at >= ?', [3]],
    ['an upper bound leaves out what is unknown', { to: 9 }, 'at >= ? AND at <= ?', [LOWEST, 9]],
    ['both bounds', { from: 3, to: 9 }, 'at >= ? AND at <= ?', [3, 9]],
  ])('%s', (_, given, condition, values) => {
    for (const order of ['asc', 'desc'] as const) {
      expect(keysetStatement(page({ ...given, order }), 'sqlite')).toMatchObject({
        sql: expect.stringContaining(`WHERE platform = ? AND ${condition} ORDER`),
        values: [1, ...values],
      });
    }
  });

  const beyond = { desc: '(at, id) < (?, ?)', asc: '(at, id) > (?, ?)' };

  it.each<[string, Partial<KeysetPage>, string, readonly unknown[]]>([
    ['desc: a cursor within the bounds', { after: { value: 5, id: 'b' } }, `at >= ? AND ${beyond.desc}`, [3, 5, 'b']],
    ['desc: a cursor at the bound', { after: { value: 9, id: 'b' } }, `at >= ? AND ${beyond.desc}`, [3, 9, 'b']],
    ['desc: a cursor before the bound', { after: { value: 10, id: 'b' } }, 'at >= ? AND at <= ?', [3, 9]],
    ['asc: a cursor within', { order: 'asc', after: { value: 5, id: 'b' } }, `at <= ? AND ${beyond.asc}`, [9, 5, 'b']],
    [
      'asc: a cursor at the bound',
      { order: 'asc', after: { value: 3, id: 'b' } },
      `at <= ? AND ${beyond.asc}`,
      [9, 3, 'b'],
    ],
    ['asc: a cursor before the bound', { order: 'asc', after: { value: 2, id: 'b' } }, 'at >= ? AND at <= ?', [3, 9]],
  ])('has one bound on each side, whichever lies further inside: %s', (_, given, condition, values) => {
    expect(keysetStatement(page({ from: 3, to: 9, ...given }), 'sqlite')).toMatchObject({
      sql: expect.stringContaining(`WHERE platform = ? AND ${condition} ORDER`),
      values: [1, ...values],
    });
  });

  it('a cursor among the unknown does not let them in again under an upper bound', () => {
    const after = { value: UNKNOWN_SORT_VALUE, id: 'b' };
    expect(keysetStatement(page({ order: 'asc', to: 9, after }), 'sqlite').values).toEqual([1, LOWEST, 9]);
  });
});

describe('the index of a page', () => {
  it('is named in the words of each database; SQLite has none for the primary key', () => {
    expect(useIndex('by_date', 'mysql')).toBe('FORCE INDEX (by_date)');
    expect(useIndex('PRIMARY', 'mysql')).toBe('FORCE INDEX (PRIMARY)');
    expect(useIndex('by_date', 'sqlite')).toBe('INDEXED BY by_date');
    expect(useIndex('PRIMARY', 'sqlite')).toBe('');
  });
});
