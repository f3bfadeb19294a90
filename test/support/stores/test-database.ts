import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createConnection } from 'mysql2/promise';
import type { Dialect } from '../../../src/database/columns.js';

/** A database for one test, as a setting of the service. */
export interface TestDatabase {
  readonly dialect: Dialect;
  /** Value of DATABASE_URL. */
  readonly url: string;
  /** Folder for the files of the test, removed with the database. */
  readonly folder: string;
  drop(): Promise<void>;
}

/** Databases that every end-to-end test runs against. */
export const DIALECTS: readonly Dialect[] = process.env.TEST_MYSQL_URL ? ['sqlite', 'mysql'] : ['sqlite'];

/** Creates an empty database, without a schema. */
export async function createTestDatabase(dialect: Dialect): Promise<TestDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'creator-data-test-'));
  const removeFolder = () => rmSync(folder, { recursive: true, force: true });
  if (dialect === 'sqlite') {
    return { dialect, folder, url: `sqlite:${join(folder, 'test.sqlite')}`, drop: async () => removeFolder() };
  }
  const name = `creator_data_test_${randomBytes(6).toString('hex')}`;
  await onServer(`CREATE DATABASE ${name}`);
  return {
    dialect,
    folder,
    url: mysqlUrl(name),
    drop: async () => {
      await onServer(`DROP DATABASE IF EXISTS ${name}`);
      removeFolder();
    },
  };
}

async function onServer(statement: string): Promise<void> {
  const connection = await createConnection({ uri: process.env.TEST_MYSQL_URL ?? '' });
  try {
    await connection.query(statement);
  } finally {
    await connection.end();
  }
}

function mysqlUrl(database: string): string {
  const url = new URL(process.env.TEST_MYSQL_URL ?? '');
  url.pathname = `/${database}`;
  return url.toString();
}
