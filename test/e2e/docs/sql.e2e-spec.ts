import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ROOT } from '../../support/files/project-root.js';
import { listedSql, assertListed } from '../../support/sql/sql-list.js';
import { normalized } from '../../support/sql/sql-recorder.mjs';

describe('the list of statements', () => {
  it('has every statement that the tests send: an unlisted kind fails the file that sends it', () => {
    const [first = ''] = listedSql();
    expect(() => assertListed([first])).not.toThrow();
    expect(() => assertListed([first, 'SELECT GET_LOCK(?, …)'])).toThrow(
      /npm run sql-list":\nSELECT GET_LOCK\(\?, …\)$/,
    );
  });

  it.each([
    [
      "SELECT id FROM `games` WHERE id IN ('a\\'b', 'c''d')\n LIMIT 11",
      'SELECT id FROM games WHERE id IN (?, …) LIMIT ?',
    ],
    ['SELECT id FROM games WHERE id IN (1)', 'SELECT id FROM games WHERE id IN (?, …)'],
    [
      "INSERT INTO t (a, b) VALUES (1, NULL), (-2.5, X'00') ON DUPLICATE KEY UPDATE b = VALUES(b)",
      'INSERT INTO t (a, b) VALUES (?, …) ON DUPLICATE KEY UPDATE b = VALUES(b)',
    ],
    ['DELETE FROM t WHERE (a = 1 AND b = 2) OR (a = 3 AND b = 4)', 'DELETE FROM t WHERE (a = ? AND b = ?)'],
    ['SELECT a FROM `test_1`.`t` WHERE a IS NOT NULL', 'SELECT a FROM creator_data.t WHERE a IS NOT NULL'],
    ["SET SESSION sql_mode = 'ANSI'", "SET SESSION sql_mode = 'ANSI'"],
    ['CREATE TABLE t (a varbinary(255) NULL)', 'CREATE TABLE t (a varbinary(255) NULL)'],
  ])('normalises %j to its kind', (sql, kind) => {
    expect(normalized(sql, 'test_1')).toBe(kind);
  });

  it('uses only words that docs/sql.md lists', () => {
    const page = readFileSync(join(ROOT, 'docs/sql.md'), 'utf8');
    const words = new Set(
      listedSql()
        // Except queries of TypeORM about the schema, whose columns are in capitals as well.
        .filter((sql) => !sql.includes('INFORMATION_SCHEMA'))
        .flatMap((sql) => sql.match(/\b[A-Z][A-Z_]+\b/g) ?? []),
    );
    expect(words.size).toBeGreaterThan(30);
    expect([...words].filter((word) => !new RegExp(`\\b${word}\\b`).test(page))).toEqual([]);
  });
});
