import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { migrations } from '../../migrations/index.js';
import type { DatabaseLocation } from '../model/config.js';
import { POOL_OPTIONS, SESSION } from '../database/mysql/mysql-session.js';
import { entities } from './entities.js';

/** How long a writer waits for another process's write to the embedded database. */
const SQLITE_BUSY_MS = 30_000;

/** Thrown where the optional driver of the embedded database did not install. */
export const MISSING_EMBEDDED_DRIVER =
  'the embedded database needs the package better-sqlite3, which did not install here; run "npm install better-sqlite3" with a C++ compiler at hand, or set DATABASE_URL to a MySQL server';

/**
 * Options of a data source; the service, the command line and the tests all use these.
 * @param driver MySQL's, where it is loaded already
 */
export function dataSourceOptions(location: DatabaseLocation, driver?: unknown): DataSourceOptions {
  const shared = {
    entities: entities(location.dialect),
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
  const dataSource = await new DataSource(dataSourceOptions(location, driver)).initialize();
  // On the one connection that was opened by connecting; `MysqlDatabase` sees to all later ones.
  if (location.dialect === 'mysql') await dataSource.query(SESSION);
  return dataSource;
}
