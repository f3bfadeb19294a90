import type { DataSource } from 'typeorm';
import { migrations } from '../../migrations/index.js';
import type { DatabaseLocation } from '../model/config.js';
import { connect, connectMemory } from './data-source.js';
import { MissingUsageError, requireSeparateUsage, requireUsageFile } from './embedded-file.js';
import { MIGRATIONS_TABLE, type Database } from '../database/database.js';
import { inFile } from '../database/sqlite/failed-file.js';
import { sqliteErrorCode } from '../database/sqlite/sqlite-writer.js';
import { SqliteDatabase } from '../database/sqlite/sqlite-database.js';

type EmbeddedLocation = Extract<DatabaseLocation, { dialect: 'sqlite' }>;

/** How to open a database. */
interface OpenOptions {
  /** Creates the usage file of an existing embedded database if it is missing; otherwise that is an error. */
  readonly createUsageFile?: boolean;
}

/** Connects to the database and its replicas without checking the schema version. @throws MissingUsageError */
export async function openDatabase(location: DatabaseLocation, options: OpenOptions = {}): Promise<Database> {
  if (location.dialect === 'sqlite') return openEmbedded(location, options);
  const dataSource = await connect(location);
  // Imported lazily: only MySQL needs the driver.
  const { MysqlDatabase } = await import('../database/mysql/mysql-database.js');
  return MysqlDatabase.create(dataSource, location.url, location.replicaUrls);
}

async function openEmbedded(location: EmbeddedLocation, { createUsageFile = false }: OpenOptions): Promise<Database> {
  const { path, usagePath } = location;
  await requireSeparateUsage(path, usagePath);
  const data = await connectFile(location, path);
  let usage: DataSource | null = null;
  try {
    // Only a new database has no schema, and may have no usage file.
    const requiresUsage = !createUsageFile && (await hasSchema(data));
    if (requiresUsage) await requireUsageFile(usagePath);
    usage = await connectFile(location, usagePath);
    if (requiresUsage && !(await hasSchema(usage))) throw new MissingUsageError(usagePath, 'empty');
    return new SqliteDatabase(data, usage);
  } catch (error) {
    await usage?.destroy();
    await data.destroy();
    throw error;
  }
}

async function connectFile(location: EmbeddedLocation, path: string): Promise<DataSource> {
  return connect({ ...location, path }).catch((error: Error) => {
    if (sqliteErrorCode(error) === '') throw error;
    throw inFile(new Error(`${path}: ${error.message}`, { cause: error }), path);
  });
}

/** Opens an empty database with a current schema in the memory of this process. */
export async function openMemoryDatabase(): Promise<Database> {
  const dataSource = await connectMemory();
  // Imported lazily: the driver is a native addon, which a service on MySQL may never need.
  const { MemoryDatabase } = await import('../database/sqlite/memory-database.js');
  const database = new MemoryDatabase(dataSource);
  await migrate(database);
  return database;
}

/** Opens a database with a current schema: migrates SQLite, and requires a migrated MySQL.
 * @throws Error that names the command to run */
export async function openCurrentDatabase(location: DatabaseLocation): Promise<Database> {
  const database = await openDatabase(location);
  try {
    if (location.dialect === 'sqlite') await migrate(database);
    else if ((await pendingMigrations(database)).length > 0) {
      throw new Error('the database schema is older than this version of the service: run "npm run -s cli -- migrate"');
    }
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Returns the data sources to migrate. SQLite's usage file has the same tables as the main file, and gets them first: if the
 * main file has a schema, the usage file must have one. */
const dataSources = ({ dataSource, usage }: Database): Set<DataSource> => new Set([usage.dataSource, dataSource]);

/** Lists the names of all migrations, oldest first. */
export const migrationNames = (): string[] => migrations.map((migration) => migration.name);

/** Lists the names of pending migrations, oldest first. */
export async function pendingMigrations(database: Database): Promise<string[]> {
  const pending = new Set<string>();
  for (const dataSource of dataSources(database)) for (const name of await listPending(dataSource)) pending.add(name);
  return migrationNames().filter((name) => pending.has(name));
}

async function listPending(dataSource: DataSource): Promise<string[]> {
  if (!(await hasSchema(dataSource))) return migrationNames();
  const applied = await nameFile<{ name: string }[]>(
    dataSource,
    dataSource.query(`SELECT name FROM ${MIGRATIONS_TABLE}`),
  );
  const names = new Set(applied.map((row) => row.name));
  return migrationNames().filter((name) => !names.has(name));
}

async function hasSchema(dataSource: DataSource): Promise<boolean> {
  const runner = dataSource.createQueryRunner();
  try {
    return await nameFile(dataSource, runner.hasTable(MIGRATIONS_TABLE));
  } finally {
    await runner.release();
  }
}

/** Returns whether an embedded database has a schema, but its usage file has none yet. */
export const lacksOnlyUsage = async ({ dataSource, usage }: Database): Promise<boolean> =>
  (await hasSchema(dataSource)) && !(await hasSchema(usage.dataSource));

/** Adds the name of SQLite's file to errors of work on a data source. @returns the result of the work */
async function nameFile<T>({ options }: DataSource, work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    throw options.type === 'better-sqlite3' ? inFile(error, options.database) : error;
  });
}

/** Runs the pending migrations. @returns their names */
export async function migrate(database: Database): Promise<string[]> {
  const pending = await pendingMigrations(database);
  if (pending.length > 0) {
    // One transaction per migration: MySQL commits at every DDL statement anyway. A retry skips the completed ones.
    for (const dataSource of dataSources(database)) {
      await nameFile(dataSource, dataSource.runMigrations({ transaction: 'each' }));
    }
  }
  return pending;
}
