import type { DataSource } from 'typeorm';
import { migrations } from '../../migrations/index.js';
import { ConfigError, type DatabaseLocation } from '../model/config.js';
import { connect, connectMemory } from './data-source.js';
import { requireSeparateUsage } from './embedded-file.js';
import { MIGRATIONS_TABLE, type Database } from '../database/database.js';
import { SqliteDatabase } from '../database/sqlite/sqlite-database.js';

/** Connects to the database and its replicas without checking the schema version. */
export async function openDatabase(location: DatabaseLocation): Promise<Database> {
  if (location.dialect === 'sqlite') await requireSeparateUsage(location.path, location.usagePath);
  const dataSource = await connect(location);
  if (location.dialect === 'sqlite') {
    const usage = await connect({ ...location, path: location.usagePath }).catch(async (error: Error) => {
      await dataSource.destroy();
      if (error instanceof ConfigError) throw error;
      throw new Error(`${location.usagePath}: ${error.message}`, { cause: error });
    });
    return new SqliteDatabase(dataSource, usage);
  }
  // Imported lazily: only MySQL needs the driver.
  const { MysqlDatabase } = await import('../database/mysql/mysql-database.js');
  return MysqlDatabase.create(dataSource, location.url, location.replicaUrls);
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

/** Returns the data sources to migrate. SQLite's usage file has the same tables as the main file. */
const dataSources = ({ dataSource, usage }: Database): Set<DataSource> => new Set([dataSource, usage.dataSource]);

/** Lists the names of all migrations, oldest first. */
export const migrationNames = (): string[] => migrations.map((migration) => migration.name);

/** Lists the names of pending migrations, oldest first. */
export async function pendingMigrations(database: Database): Promise<string[]> {
  const pending = new Set<string>();
  for (const dataSource of dataSources(database)) for (const name of await listPending(dataSource)) pending.add(name);
  return migrationNames().filter((name) => pending.has(name));
}

async function listPending(dataSource: DataSource): Promise<string[]> {
  const runner = dataSource.createQueryRunner();
  try {
    if (!(await runner.hasTable(MIGRATIONS_TABLE))) return migrationNames();
    const applied = (await runner.query(`SELECT name FROM ${MIGRATIONS_TABLE}`)) as { name: string }[];
    const names = new Set(applied.map((row) => row.name));
    return migrationNames().filter((name) => !names.has(name));
  } finally {
    await runner.release();
  }
}

/** Runs the pending migrations. @returns their names */
export async function migrate(database: Database): Promise<string[]> {
  const pending = await pendingMigrations(database);
  if (pending.length > 0) {
    // One transaction per migration: MySQL commits at every DDL statement anyway. A retry skips the completed ones.
    for (const dataSource of dataSources(database)) await dataSource.runMigrations({ transaction: 'each' });
  }
  return pending;
}
