import type { DataSource } from 'typeorm';
import { migrations } from '../../migrations/index.js';
import type { DatabaseLocation } from '../model/config.js';
import { connect } from './data-source.js';
import type { Database } from '../database/database.js';
import { UsageGroupEntity, UsageTotalEntity } from '../receipts/usage.entities.js';
import { SqliteDatabase } from '../database/sqlite/sqlite-database.js';

/** Connects to the database and its replicas, whatever state the schema is in. */
export async function openDatabase(location: DatabaseLocation): Promise<Database> {
  const dataSource = await connect(location);
  if (location.dialect === 'sqlite') {
    const usage = await connect({ ...location, path: location.usagePath }).catch(async (error: Error) => {
      await dataSource.destroy();
      throw new Error(`${location.usagePath}: ${error.message}`, { cause: error });
    });
    return new SqliteDatabase(dataSource, usage);
  }
  // Its driver takes a twentieth of the start, which the embedded database has no use for.
  const { MysqlDatabase } = await import('../database/mysql/mysql-database.js');
  return MysqlDatabase.over(dataSource, location.url, location.replicaUrls);
}

/**
 * Opens the database for serving or for an operator's command: the embedded one is brought up to date, a MySQL
 * server's schema belongs to its operator and must be.
 * @throws Error saying which command helps
 */
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

/** What is brought up to date: usage may have a file of its own, which gets the same tables. */
const parts = ({ dataSource, usage }: Database): Set<DataSource> => new Set([dataSource, usage.dataSource]);

/** Names of the migrations that the database still lacks, oldest first. */
export async function pendingMigrations(database: Database): Promise<string[]> {
  const pending = new Set<string>();
  for (const part of parts(database)) for (const name of await pendingIn(part)) pending.add(name);
  return migrations.map((migration) => migration.name).filter((name) => pending.has(name));
}

async function pendingIn(dataSource: DataSource): Promise<string[]> {
  const runner = dataSource.createQueryRunner();
  try {
    if (!(await runner.hasTable('schema_migrations'))) return migrations.map((migration) => migration.name);
    const applied = (await runner.query('SELECT name FROM schema_migrations')) as { name: string }[];
    const names = new Set(applied.map((row) => row.name));
    return migrations.map((migration) => migration.name).filter((name) => !names.has(name));
  } finally {
    await runner.release();
  }
}

/**
 * Brings the schema up to date.
 * @returns the names of the migrations that ran
 */
export async function migrate(database: Database): Promise<string[]> {
  const pending = await pendingMigrations(database);
  if (pending.length > 0) {
    // Each one for itself: MySQL commits at every DDL statement anyway. What has run already is passed over.
    for (const part of parts(database)) await part.runMigrations({ transaction: 'each' });
  }
  if (parts(database).size > 1) await moveUsage(database.dataSource, database.usage.dataSource);
  return pending;
}

/**
 * Usage that was recorded before it had a file of its own is moved there. Interrupted, it is done again: what has
 * arrived stays as it is.
 */
async function moveUsage(data: DataSource, usage: DataSource): Promise<void> {
  if (!(await data.getRepository(UsageTotalEntity).exists())) return;
  const [{ file }] = (await data.query("SELECT file FROM pragma_database_list WHERE name = 'main'")) as [
    { file: string },
  ];
  const tables = [UsageGroupEntity, UsageTotalEntity].map((entity) => usage.getMetadata(entity).tableName);
  // What has arrived is on the disk before it is deleted where it was.
  await usage.query('PRAGMA main.synchronous = FULL');
  await usage.query('ATTACH DATABASE ? AS data', [file]);
  await usage.transaction(async (transaction) => {
    for (const table of tables)
      await transaction.query(`INSERT OR IGNORE INTO main.${table} SELECT * FROM data.${table}`);
  });
  for (const table of tables) await usage.query(`DELETE FROM data.${table}`);
  await usage.query('DETACH DATABASE data');
}
