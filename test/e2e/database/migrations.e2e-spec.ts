import { afterEach, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { migrations } from '../../../migrations/index.js';
import { readConfig } from '../../../src/model/config.js';
import type { Database } from '../../../src/database/database.js';
import { newDataSource } from '../../../src/schema/data-source.js';
import { migrate, openCurrentDatabase, openDatabase, pendingMigrations } from '../../../src/schema/open-database.js';
import { createTestDatabase, DIALECTS, type TestDatabase } from '../../support/stores/test-database.js';
import { skipSqlCheck } from '../../support/sql/sql-list.js';

skipSqlCheck();

const NAMES = migrations.map(({ name }) => name);

describe.each(DIALECTS)('migrations (%s)', (dialect) => {
  const open: { close(): Promise<void> }[] = [];
  const databases: TestDatabase[] = [];

  afterEach(async () => {
    for (const database of open.splice(0)) await database.close();
    for (const database of databases.splice(0)) await database.drop();
  });

  async function emptyDatabase(): Promise<{ location: ReturnType<typeof readConfig>['database']; database: Database }> {
    const testDatabase = await createTestDatabase(dialect);
    databases.push(testDatabase);
    const location = readConfig({ DATABASE_URL: testDatabase.url }).database;
    const database = await openDatabase(location);
    open.push(database);
    return { location, database };
  }

  const rowsOf = async (source: DataSource, sql: string) =>
    ((await source.query(sql)) as Record<string, unknown>[]).map((row) => Object.values(row).map(String));

  const TABLES =
    dialect === 'sqlite'
      ? "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name"
      : 'SHOW TABLES';

  const tablesOf = async ({ dataSource }: { dataSource: DataSource }) =>
    (await rowsOf(dataSource, TABLES)).map(([name]) => String(name)).filter((name) => name !== 'schema_migrations');

  /** Returns every table and index in the notation of the database. */
  async function definitionsOf(source: DataSource): Promise<Record<string, string[]>> {
    if (dialect === 'sqlite') {
      const sql =
        "SELECT tbl_name, sql FROM sqlite_master WHERE tbl_name <> 'schema_migrations' ORDER BY sql, tbl_name";
      return { all: (await rowsOf(source, sql)).map((row) => row.join(' ').trim()) };
    }
    const entries = (await tablesOf({ dataSource: source })).map(async (table) => {
      const [row] = await rowsOf(source, `SHOW CREATE TABLE ${table}`);
      // Indexes are listed in the order of their creation.
      return [table, String(row?.[1]).split(/,?\n/).toSorted()] as const;
    });
    return Object.fromEntries(await Promise.all(entries));
  }

  it('entities and migrations agree: the schema builder finds nothing to change', async () => {
    const { database } = await emptyDatabase();
    await migrate(database);
    const { upQueries, downQueries } = await database.dataSource.driver.createSchemaBuilder().log();
    const changes = [...upQueries, ...downQueries].map(({ query }) => query);
    // MariaDB reports 'NULL' for a nullable column without a default, which TypeORM takes for a text: it drops the
    // indexes of each such column, "changes" the column to what it already is, and creates the indexes again. The next
    // test shows that the columns and indexes are equal nevertheless.
    const unfounded =
      /^ALTER TABLE `\w+` CHANGE `(\w+)` `\1` \w+(\(\d+\))?( CHARACTER SET "\w+")?( COLLATE "\w+")? NULL( DEFAULT 'NULL')?$|^(DROP|CREATE) INDEX/;
    expect(changes.filter((query) => dialect === 'sqlite' || !unfounded.test(query))).toEqual([]);
  });

  it('migrations create exactly the tables and indexes that the entities describe', async () => {
    const { database } = await emptyDatabase();
    await migrate(database);
    const { location } = await emptyDatabase();
    const fromEntities = await newDataSource(location, { migrations: [], synchronize: true });
    await fromEntities.initialize();
    open.push({ close: () => fromEntities.destroy() });
    const expected = await definitionsOf(fromEntities);
    expect(JSON.stringify(expected)).toContain('profiles_by_handle');
    expect(await definitionsOf(database.dataSource)).toEqual(expected);
  });

  it('a difference between entities and migrations is detected', async () => {
    const { database } = await emptyDatabase();
    await migrate(database);
    await database.dataSource.query('ALTER TABLE profiles ADD COLUMN surplus INTEGER');
    const { upQueries, downQueries } = await database.dataSource.driver.createSchemaBuilder().log();
    expect([...upQueries, ...downQueries].map(({ query }) => query).join('\n')).toMatch(/surplus/);
  });

  it('each migration is recorded under the name of its class', () => {
    expect(migrations.map((Migration) => new Migration().name)).toEqual(NAMES);
  });

  it('pending migrations are reported, oldest first, until they have run', async () => {
    const { database } = await emptyDatabase();
    expect(await pendingMigrations(database)).toEqual(NAMES);
    expect(await migrate(database)).toEqual(NAMES);
    expect(await pendingMigrations(database)).toEqual([]);
    expect(await migrate(database)).toEqual([]);
  });

  it('a database that lacks only the newest migration is reported', async () => {
    const { database } = await emptyDatabase();
    await migrate(database);
    await database.dataSource.query(`DELETE FROM schema_migrations WHERE name = '${NAMES.at(-1)}'`);
    expect(await pendingMigrations(database)).toEqual(NAMES.slice(-1));
  });

  it('migrations can be reverted and run again', async () => {
    const { database } = await emptyDatabase();
    await migrate(database);
    const tables = await tablesOf(database);
    expect(tables).toContain('profiles');
    for (const _ of NAMES) await database.dataSource.undoLastMigration({ transaction: 'each' });
    expect(await pendingMigrations(database)).toEqual(NAMES);
    expect(await tablesOf(database)).not.toContain('profiles');
    await migrate(database);
    expect(await tablesOf(database)).toEqual(tables);
  });

  const startsOnItsOwn = dialect === 'sqlite';

  it(`${startsOnItsOwn ? 'the embedded database migrates itself at start' : 'the service refuses to start on an older schema and says so'}`, async () => {
    const { location, database } = await emptyDatabase();
    const started = await openCurrentDatabase(location).then(
      (current) => {
        open.push(current);
        return 'started';
      },
      (error: unknown) => String(error),
    );
    expect(started).toBe(
      startsOnItsOwn
        ? 'started'
        : 'Error: the database schema is older than this version of the service: run "npm run -s cli -- migrate"',
    );
    expect((await tablesOf(database)).includes('profiles')).toBe(startsOnItsOwn);
    await migrate(database);
    open.push(await openCurrentDatabase(location));
  });
});
