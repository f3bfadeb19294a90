import { createPool, type Pool } from 'mysql2';
import { POOL_OPTIONS, prepareSessions, READ_COMMITTED } from './mysql-session.js';

/** Creates the pool of a read replica. It connects lazily, so a replica that is down does not block the start. */
export const replicaPool = (uri: string): Pool => prepareSessions(createPool({ ...POOL_OPTIONS, uri }));

/** Creates a pool of one dedicated connection, so that usage writes never queue behind reads. */
export const usagePool = (uri: string): Pool =>
  prepareSessions(
    createPool({ ...POOL_OPTIONS, uri, connectionLimit: 1, connectTimeout: 2000, multipleStatements: true }),
    READ_COMMITTED,
  );
