import type { PoolConnection } from 'mysql2';
import { inGroups } from '../row-groups.js';
import type { StreamRows } from '../statements.js';
import { destroyConnection, query, queryRows } from './mysql-connection.js';
import { READ_COMMITTED, REPEATABLE_READ } from './mysql-session.js';

/**
 * Runs `work` in a transaction whose reads all see the state at its start.
 * @param connection of the pool; it is released, or destroyed after an error
 * @param timeoutMs time limit of each message to the server
 */
export async function withSnapshot<T>(
  connection: PoolConnection,
  timeoutMs: number,
  work: (stream: StreamRows) => Promise<T>,
): Promise<T> {
  const run = (sql: string) => query(connection, sql, [], timeoutMs);
  try {
    await run(REPEATABLE_READ);
    // Without the option, the state would be that of the first read.
    await run('START TRANSACTION WITH CONSISTENT SNAPSHOT');
    const result = await work(({ sql }, values) => inGroups(queryRows(connection, sql, values, timeoutMs)));
    await run('COMMIT');
    await run(READ_COMMITTED);
    connection.release();
    return result;
  } catch (error) {
    destroyConnection(connection);
    throw error;
  }
}
