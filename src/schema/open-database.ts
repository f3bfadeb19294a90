import type { DataSource } from 'typeorm';
import { migrations } from '../../migrations/index.js';
import { ConfigError, type DatabaseLocation } from '../model/config.js';
import { connect } from './data-source.js';
import { MIGRATIONS_TABLE, type Database } from '../database/database.js';
import { SqliteDatabase } from '../database/sqlite/sqlite-database.js';

/** Connects to the database and its replicas, whatever the schema version. */
export async function openDatabase(location: DatabaseLocation): Promise<Database> {
  const dataSource = await connect(location);
  if (location.dialect === 'sqlite') {
    const usage = await connect({ ...location, path: location.usagePath }).catch(async (error: Error) => {
      await dataSource.destroy();
      if (error instanceof ConfigError) throw error;
      throw new Error(`${location.usagePath}: ${error.message}`, { cause: error });
    });
    return new SqliteDatabase(dataSource, usage);
  }
  // Lazy: the driver takes a twentieth of the start.
  const { MysqlDatabase } = await import('../database/mysql/mysql-database.js');
  return MysqlDatabase.over(dataSource, location.url, location.replicaUrls);
}

/** Opens and migrates SQLite; MySQL's schema must be current already. @throws Error saying which command helps */
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

/** What to migrate: a usage file of its own gets the same tables. */
const parts = ({ dataSource, usage }: Database): Set<DataSource> => new Set([dataSource, usage.dataSource]);

/** Names of all migrations, oldest first: what a database lacks that is not there yet. */
export const migrationNames = (): string[] => migrations.map((migration) => migration.name);

/** Names of pending migrations, oldest first. */
export async function pendingMigrations(database: Database): Promise<string[]> {
  const pending = new Set<string>();
  for (const part of parts(database)) for (const name of await pendingIn(part)) pending.add(name);
  return migrationNames().filter((name) => pending.has(name));
}

async function pendingIn(dataSource: DataSource): Promise<string[]> {
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

/** Migrates the schema. @returns the migrations that ran */
export async function migrate(database: Database): Promise<string[]> {
  const pending = await pendingMigrations(database);
  if (pending.length > 0) {
    // One transaction each: MySQL commits at every DDL statement anyway. Those done are skipped.
    for (const part of parts(database)) await part.runMigrations({ transaction: 'each' });
  }
  return pending;
}
