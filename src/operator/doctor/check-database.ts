import { existsSync, statSync } from 'node:fs';
import type { DatabaseLocation } from '../../model/config.js';
import type { Database } from '../../database/database.js';
import { countOf } from '../../model/counts.js';
import { WriterRegistry } from '../../receipts/writer-registry.js';
import { openDatabase, pendingMigrations } from '../../schema/open-database.js';
import { describeDatabase } from '../../database/explain-database-error.js';
import { explainError } from '../explain-error.js';
import { listKeyNames } from '../usage/key-names.js';
import { describeMissingKeys, findMissingKeys, keyIdsOf } from '../usage/missing-keys.js';
import { UsageSummaries } from '../usage/usage-summary.js';
import { describeWriter, isStale } from '../usage/closed-days.js';
import { bad, good, warning, type Check } from './check.js';
import { checkBufferPool } from './check-buffer-pool.js';
import { checkRuns } from './check-enriching.js';
import { checkGrants } from './check-grants.js';
import { checkKeys } from './check-keys.js';
import { checkPacket } from './check-packet.js';
import { checkClock } from './check-clock.js';

/** The oldest server versions that are supported. */
const OLDEST_TESTED = { mariadb: [10, 11], mysql: [8, 0] } as const;

/** The last day number. */
const LAST_DAY = 99_991_231;

/** Checks the database server, schema, keys, usage, writers, the user's rights and clock. */
export async function checkDatabase(location: DatabaseLocation): Promise<Check[]> {
  if (location.dialect === 'sqlite' && !existsSync(location.path)) {
    return [
      bad('database', `there is no database ${location.path}: correct DATABASE_URL, or run "creator-data migrate"`),
    ];
  }
  let database: Database;
  try {
    database = await openDatabase(location);
  } catch (error) {
    return [bad('database', explainError(error, location).message)];
  }
  try {
    const checks = [await checkServer(database, location)];
    const pending = await pendingMigrations(database);
    if (pending.length > 0) {
      return [
        ...checks,
        bad('schema', `it lacks ${countOf(pending.length, 'migration')} of this version: run "creator-data migrate"`),
      ];
    }
    checks.push(good('schema', 'up to date'), await checkKeys(database, Date.now()), await checkUsage(database));
    checks.push(...(await checkWriters(database)), ...(await checkRuns(database)));
    if (location.dialect === 'mysql')
      checks.push(
        await checkGrants(database, location.url),
        await checkPacket(database),
        await checkBufferPool(database),
      );
    checks.push(location.dialect === 'mysql' ? await checkDatabaseClock(database) : localClock());
    return checks;
  } catch (error) {
    return [bad('database', explainError(error, location).message)];
  } finally {
    await database.close();
  }
}

async function checkServer(database: Database, location: DatabaseLocation): Promise<Check> {
  const startedAt = performance.now();
  if (location.dialect === 'sqlite') {
    const [row] = await database.all<{ version: string }>({ sql: 'SELECT sqlite_version() AS version' }, []);
    const mib = Math.ceil(statSync(location.path).size / 1024 ** 2).toLocaleString('en');
    return good('database', `${location.path}, ${mib} MiB, SQLite ${row?.version}`);
  }
  const [row] = await database.all<{ version: string }>({ sql: 'SELECT VERSION() AS version' }, [], {
    source: 'primary',
  });
  const tookMs = performance.now() - startedAt;
  const version = row?.version ?? '';
  const description = `${describeDatabase(location)}, ${version}, answers in ${tookMs.toFixed(1)} ms`;
  const [major, minor] = /mariadb/i.test(version) ? OLDEST_TESTED.mariadb : OLDEST_TESTED.mysql;
  const [actualMajor = 0, actualMinor = 0] = version.split('.').map(Number);
  if (actualMajor > major || (actualMajor === major && actualMinor >= minor)) return good('database', description);
  return warning('database', `${description}: versions before ${major}.${minor} are not tested: upgrade it`);
}

/** Checks that each key with usage is stored: `usage invoice` rejects a month with usage of a missing key. */
async function checkUsage(database: Database): Promise<Check> {
  const usage = await new UsageSummaries(database).sum({ from: 0, to: LAST_DAY }, ['key']);
  // Read after the usage, so that it includes a key that was created and used meanwhile.
  const names = await listKeyNames(database);
  const missing = findMissingKeys(keyIdsOf(usage), new Set(names.keys()));
  if (missing.length === 0) return good('usage', 'each key with usage is stored');
  return warning('usage', `${describeMissingKeys(missing)}, so it cannot be billed: restore the keys from a backup`);
}

/** Checks the processes that record usage. One that stopped before settling its records keeps its days open. */
async function checkWriters(database: Database): Promise<Check[]> {
  const writers = await new WriterRegistry(database).list();
  const stale = writers.filter(isStale);
  if (stale.length === 0) return [good('writers', `processes that record usage: ${writers.length}`)];
  return stale.map((writer) =>
    warning(
      'writers',
      `${describeWriter(writer)}, keeps the days since then open: restart it, or if it is permanently lost, ` +
        `add --dismiss ${writer.writer_id} to "usage archive"`,
    ),
  );
}

/** An embedded database has no clock of its own to compare with. */
const localClock = (): Check => good('clock', `it shows ${new Date().toISOString()}`);

async function checkDatabaseClock(database: Database): Promise<Check> {
  const sql = 'SELECT UNIX_TIMESTAMP(NOW(3)) * 1000 AS now';
  return checkClock('the database', async () => {
    const [row] = await database.all<{ now: unknown }>({ sql }, [], { source: 'primary' });
    return Number(row?.now);
  });
}
