import { DataSource, type ColumnType, type DataSourceOptions } from 'typeorm';
import { migrations } from '../../migrations/index.js';
import type { DatabaseLocation } from '../model/config.js';
import { MIGRATIONS_TABLE } from '../database/database.js';
import { POOL_OPTIONS, SESSION } from '../database/mysql/mysql-session.js';
import { openFile } from './embedded-file.js';
import { ENTITIES } from './entities.js';

const SQLITE_BUSY_MS = 30_000;

/** Message for systems without a binary of the embedded driver. */
export const MISSING_EMBEDDED_DRIVER =
  'the package @photostructure/sqlite has no binary for this system; set DATABASE_URL to a MySQL server';

/** Column types that become `text` in SQLite. */
const TEXT_TYPES: readonly ColumnType[] = ['varbinary', 'mediumtext'];

/** Data source of SQLite, where text columns have neither length nor collation. */
class EmbeddedDataSource extends DataSource {
  protected override async buildMetadatas(): Promise<void> {
    this.driver.supportedDataTypes.push(...TEXT_TYPES);
    this.driver.withLengthColumnTypes.push(...TEXT_TYPES);
    await super.buildMetadatas();
    // Changes the metadata of this data source only; the entities are shared with MySQL.
    for (const column of this.entityMetadatas.flatMap(({ columns }) => columns)) {
      if (TEXT_TYPES.includes(column.type)) Object.assign(column, EMBEDDED_TEXT);
    }
  }
}

const EMBEDDED_TEXT = { type: 'text', length: '', charset: undefined, collation: undefined } as const;

/**
 * Creates a data source that is not connected yet.
 * @param overrides options that replace the service's
 */
export async function newDataSource(
  location: DatabaseLocation,
  overrides: Partial<Pick<DataSourceOptions, 'migrations' | 'synchronize'>> = {},
): Promise<DataSource> {
  const options = { ...dataSourceOptions(location, await loadDriver(location)), ...overrides } as DataSourceOptions;
  return location.dialect === 'sqlite' ? new EmbeddedDataSource(options) : new DataSource(options);
}

function dataSourceOptions(location: DatabaseLocation, driver: unknown): DataSourceOptions {
  const shared = {
    entities: ENTITIES,
    migrations,
    migrationsTableName: MIGRATIONS_TABLE,
    logging: false,
  } satisfies Partial<DataSourceOptions>;
  return location.dialect === 'sqlite'
    ? {
        ...shared,
        type: 'better-sqlite3',
        driver,
        database: location.path,
        enableWAL: true,
        timeout: SQLITE_BUSY_MS,
        prepareDatabase: (connection: { pragma(text: string): unknown }) => {
          // Applies to new files only. SQLite splits clustered rows that are longer than a quarter of a page.
          connection.pragma('page_size = 8192');
          // Commits survive a crash of the process. Usage records are written by a connection with FULL.
          connection.pragma('synchronous = NORMAL');
          connection.pragma('cache_size = -4000');
        },
      }
    : mysqlOptions(location.url, driver, shared);
}

function mysqlOptions(
  url: string,
  driver: unknown,
  shared: Pick<DataSourceOptions, 'entities' | 'migrations' | 'migrationsTableName' | 'logging'>,
): DataSourceOptions {
  return {
    ...shared,
    type: 'mysql',
    driver,
    url,
    timezone: 'Z',
    supportBigNumbers: POOL_OPTIONS.supportBigNumbers,
    bigNumberStrings: POOL_OPTIONS.bigNumberStrings,
    poolSize: POOL_OPTIONS.connectionLimit,
    extra: POOL_OPTIONS,
  };
}

/** Connects to a database. @throws Error with a one-line message for the operator */
export async function connect(location: DatabaseLocation): Promise<DataSource> {
  const initialize = async () => (await newDataSource(location)).initialize();
  if (location.dialect === 'sqlite') return openFile(location.path, initialize);
  const dataSource = await initialize();
  // Prepares the first connection; `MysqlDatabase` prepares later ones.
  await dataSource.query(SESSION);
  return dataSource;
}

/** Connects to a new SQLite database in memory, which ends with its connection. */
export async function connectMemory(): Promise<DataSource> {
  return (await newDataSource({ dialect: 'sqlite', path: ':memory:', usagePath: ':memory:' })).initialize();
}

/** Loads the driver of a dialect. TypeORM would load it by a computed name, which a bundler cannot follow. */
async function loadDriver({ dialect }: DatabaseLocation): Promise<unknown> {
  if (dialect === 'mysql') return (await import('mysql2')).default;
  const { EmbeddedConnection } = await import('../database/sqlite/embedded-connection.js').catch((cause: unknown) => {
    throw new Error(MISSING_EMBEDDED_DRIVER, { cause });
  });
  return EmbeddedConnection;
}
