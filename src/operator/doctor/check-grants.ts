import { isAccessDenied } from '../../database/access-denied.js';
import type { Database } from '../../database/database.js';
import { bad, good, type Check } from './check.js';

type Right = 'SELECT' | 'INSERT' | 'UPDATE' | 'DELETE';

/** Rights of the service beside reading, as in `deploy/grants.sql`. */
const SERVICE_RIGHTS: Readonly<Record<string, readonly Right[]>> = {
  usage_journal: ['INSERT', 'DELETE'],
  usage_totals: ['INSERT', 'UPDATE'],
  key_months: ['INSERT', 'UPDATE'],
  usage_writers: ['INSERT', 'UPDATE', 'DELETE'],
};

/** Statements that need a right. EXPLAIN checks it, also if a role grants it, and runs nothing. */
const PROBES: Readonly<Record<Right, (table: string, column: string) => string>> = {
  SELECT: (table) => `EXPLAIN SELECT * FROM ${table} WHERE 1 = 0`,
  INSERT: (table) => `EXPLAIN INSERT INTO ${table} SELECT * FROM ${table} WHERE 1 = 0`,
  UPDATE: (table, column) => `EXPLAIN UPDATE ${table} SET ${column} = ${column} WHERE 1 = 0`,
  DELETE: (table) => `EXPLAIN DELETE FROM ${table} WHERE 1 = 0`,
};

/** Table of the operator only, to which entries are only added. */
const AUDIT_LOG = 'audit_log';

/** Tables that only commands use. */
const OPERATOR_TABLES: readonly string[] = [AUDIT_LOG, 'collect_days', 'collect_targets'];

/** Checks that the database user has every right that the service needs, and an operator those on the audit log. */
export async function checkGrants(database: Database, url: string): Promise<Check> {
  const user = decodeURIComponent(new URL(url).username);
  const missing: string[] = [];
  for (const { tableName, columns } of database.dataSource.entityMetadatas) {
    if (OPERATOR_TABLES.includes(tableName)) continue;
    for (const right of ['SELECT', ...(SERVICE_RIGHTS[tableName] ?? [])] as const) {
      const sql = PROBES[right](tableName, columns[0]?.databaseName ?? '');
      if (await isDenied(database, sql)) missing.push(`${right} on ${tableName}`);
    }
  }
  const isOperator = !(await isDenied(database, PROBES.INSERT('api_keys', 'id')));
  if (isOperator) {
    for (const right of ['SELECT', 'INSERT'] as const) {
      if (await isDenied(database, PROBES[right](AUDIT_LOG, 'at'))) missing.push(`${right} on ${AUDIT_LOG}`);
    }
  }
  if (missing.length === 0) {
    const changesAudit = !(await isDenied(database, PROBES.DELETE(AUDIT_LOG, 'at')));
    const more = changesAudit
      ? '; it may also delete entries of the audit log, unlike the users of deploy/grants.sql'
      : '';
    const whom = isOperator ? '; doctor with the DATABASE_URL of the service checks its user' : '';
    return good('grants', `the database user ${user} has all rights that the service needs${more}${whom}`);
  }
  return bad('grants', `the database user ${user} lacks ${missing.join(', ')}: apply deploy/grants.sql`);
}

async function isDenied(database: Database, sql: string): Promise<boolean> {
  try {
    await database.all({ sql }, [], { source: 'primary' });
    return false;
  } catch (error) {
    if (isAccessDenied(error)) return true;
    throw error;
  }
}
