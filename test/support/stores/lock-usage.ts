import { EmbeddedConnection } from '../../../src/database/sqlite/embedded-connection.js';
import { createConnection } from 'mysql2/promise';
import type { TestDatabase } from './test-database.js';

/** Blocks every write of usage records, and nothing else. @returns a function that unblocks them */
export async function lockUsage({ dialect, url }: TestDatabase): Promise<() => Promise<void>> {
  if (dialect === 'sqlite') {
    const beside = new EmbeddedConnection(url.slice('sqlite:'.length).replace('.sqlite', '-usage.sqlite'));
    beside.exec('BEGIN IMMEDIATE');
    return async () => beside.close();
  }
  const connection = await createConnection({ uri: url });
  await connection.query('LOCK TABLES usage_journal READ, usage_totals READ');
  return () => connection.end();
}
