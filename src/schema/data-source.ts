import { DataSource, type ColumnType, type DataSourceOptions } from 'typeorm';
import { migrations } from '../../migrations/index.js';
import type { DatabaseLocation } from '../model/config.js';
import { MIGRATIONS_TABLE } from '../database/database.js';
import { POOL_OPTIONS, SESSION } from '../database/mysql/mysql-session.js';
import { openFile } from './embedded-file.js';
import { ENTITIES } from './entities.js';

const SQLITE_BUSY_MS = 30_000;

export const MISSING_EMBEDDED_DRIVER =
  'the package @photostructure/sqlite has no binary for this system; set DATABASE_URL to a MySQL server';

/** Column types that are plain text in SQLite. */
const TEXT_TYPES: readonly ColumnType[] = ['varbinary', 'mediumtext'];

/** SQLite's data source, whose text has neither length nor collation. */
class EmbeddedDataSource extends DataSource {
  protected override async buildMetadatas(): Promise<void> {
    this.driver.supportedDataTypes.push(...TEXT_TYPES);
    this.driver.withLengthColumnTypes.push(...TEXT_TYPES);
    await super.buildMetadatas();
    // Metadata of this data source only: the entities are shared.
    for (const column of this.entityMetadatas.flatMap(({ columns }) => columns)) {
      if (TEXT_TYPES.includes(column.type)) Object.assign(column, EMBEDDED_TEXT);
    }
  }
}

const EMBEDDED_TEXT = { type: 'text', length: '', charset: undefined, collation: undefined } as const;

/**
 * A data source that is not connected yet.
 * @param changes what differs from the service's options
 */
export async function newDataSource(
  location: DatabaseLocation,
  changes: Partial<Pick<DataSourceOptions, 'migrations' | 'synchronize'>> = {},
): Promise<DataSource> {
  const options = { ...dataSourceOptions(location, await driverOf(location)), ...changes } as DataSourceOptions;
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
          // New files only: clustered rows stay whole up to a quarter of a page.
          connection.pragma('page_size = 8192');
          // NORMAL: commits survive a process crash. Usage has its own connection with FULL.
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

/** Connects to one database. @throws Error with a one-line message for the operator */
export async function connect(location: DatabaseLocation): Promise<DataSource> {
  const initialize = async () => (await newDataSource(location)).initialize();
  if (location.dialect === 'sqlite') return openFile(location.path, initialize);
  const dataSource = await initialize();
  // For the connection opened by connecting; `MysqlDatabase` prepares later ones.
  await dataSource.query(SESSION);
  return dataSource;
}

/** Each loads its driver alone. TypeORM would require it by a name that a bundler cannot see, and load it twice. */
async function driverOf({ dialect }: DatabaseLocation): Promise<unknown> {
  if (dialect === 'mysql') return (await import('mysql2')).default;
  const { EmbeddedConnection } = await import('../database/sqlite/embedded-connection.js').catch((cause: unknown) => {
    throw new Error(MISSING_EMBEDDED_DRIVER, { cause });
  });
  return EmbeddedConnection;
}
