import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DataSource, type ColumnType, type DataSourceOptions } from 'typeorm';
import { migrations } from '../../migrations/index.js';
import type { DatabaseLocation } from '../model/config.js';
import { POOL_OPTIONS, SESSION } from '../database/mysql/mysql-session.js';
import { ENTITIES } from './entities.js';

/** How long a writer waits for another process's write to the embedded database. */
const SQLITE_BUSY_MS = 30_000;

/** Thrown where the optional driver of the embedded database did not install. */
export const MISSING_EMBEDDED_DRIVER =
  'the embedded database needs the package better-sqlite3, which did not install here; run "npm install better-sqlite3" with a C++ compiler at hand, or set DATABASE_URL to a MySQL server';

/** What entities declare as MySQL has it, and what is plain text in the embedded database. */
const TEXT_TYPES: readonly ColumnType[] = ['varbinary', 'mediumtext'];

/** A data source over the embedded database, whose text has neither length nor collation. */
class EmbeddedDataSource extends DataSource {
  protected override async buildMetadatas(): Promise<void> {
    this.driver.supportedDataTypes.push(...TEXT_TYPES);
    this.driver.withLengthColumnTypes.push(...TEXT_TYPES);
    await super.buildMetadatas();
    // Of this data source alone: entities are shared, what is made of them is not.
    for (const column of this.entityMetadatas.flatMap(({ columns }) => columns)) {
      if (TEXT_TYPES.includes(column.type)) Object.assign(column, EMBEDDED_TEXT);
    }
  }
}

const EMBEDDED_TEXT = { type: 'text', length: '', charset: undefined, collation: undefined } as const;

/**
 * A data source that is not connected yet; the service, the command line and the tests all use these.
 * @param driver MySQL's, where it is loaded already
 * @param changes to how the service sets it up
 */
export function newDataSource(
  location: DatabaseLocation,
  driver?: unknown,
  changes: Partial<Pick<DataSourceOptions, 'migrations' | 'synchronize'>> = {},
): DataSource {
  const options = { ...dataSourceOptions(location, driver), ...changes } as DataSourceOptions;
  return location.dialect === 'sqlite' ? new EmbeddedDataSource(options) : new DataSource(options);
}

function dataSourceOptions(location: DatabaseLocation, driver: unknown): DataSourceOptions {
  const shared = {
    entities: ENTITIES,
    migrations,
    migrationsTableName: 'schema_migrations',
    logging: false,
  } satisfies Partial<DataSourceOptions>;
  return location.dialect === 'sqlite'
    ? {
        ...shared,
        type: 'better-sqlite3',
        database: location.path,
        enableWAL: true,
        timeout: SQLITE_BUSY_MS,
        prepareDatabase: (connection: { pragma(text: string): unknown }) => {
          // Of a new file: rows that are laid out by their key stay whole up to a quarter of a page.
          connection.pragma('page_size = 8192');
          // NORMAL: a commit survives the end of the process; usage records ask for more on a connection of their own.
          connection.pragma('synchronous = NORMAL');
          connection.pragma('cache_size = -8000');
        },
      }
    : mysqlOptions(location.url, driver, shared);
}

function mysqlOptions(
  url: string,
  driver: unknown,
  shared: Pick<DataSourceOptions, 'entities' | 'migrations' | 'logging'>,
): DataSourceOptions {
  return {
    ...shared,
    migrationsTableName: 'schema_migrations',
    type: 'mysql',
    ...(driver === undefined ? {} : { driver }),
    url,
    timezone: 'Z',
    supportBigNumbers: POOL_OPTIONS.supportBigNumbers,
    bigNumberStrings: POOL_OPTIONS.bigNumberStrings,
    poolSize: POOL_OPTIONS.connectionLimit,
    extra: POOL_OPTIONS,
  };
}

/**
 * Connects to one database.
 * @throws Error with a one-line message for the operator
 */
export async function connect(location: DatabaseLocation): Promise<DataSource> {
  if (location.dialect === 'sqlite') {
    mkdirSync(dirname(location.path), { recursive: true });
    await import('better-sqlite3').catch((cause: unknown) => {
      throw new Error(MISSING_EMBEDDED_DRIVER, { cause });
    });
  }
  // TypeORM would look for it by a name that a bundle cannot see, and load it a second time.
  const driver = location.dialect === 'mysql' ? (await import('mysql2')).default : undefined;
  const dataSource = await newDataSource(location, driver).initialize();
  // On the one connection that was opened by connecting; `MysqlDatabase` sees to all later ones.
  if (location.dialect === 'mysql') await dataSource.query(SESSION);
  return dataSource;
}
