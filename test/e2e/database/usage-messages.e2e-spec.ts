import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createPool, createServer } from 'mysql2';
import { createConnection } from 'mysql2/promise';
import { promisify } from 'node:util';
import { CommitUnknownError, type Database } from '../../../src/database/database.js';
import { MysqlMessageWriter } from '../../../src/database/mysql/mysql-message-writer.js';
import { readConfig } from '../../../src/model/config.js';
import type { UsageGroup } from '../../../src/receipts/usage-record.js';
import { UsageStore } from '../../../src/receipts/usage-store.js';
import { UsageGroupEntity } from '../../../src/receipts/usage.entities.js';
import { migrate, openDatabase } from '../../../src/schema/open-database.js';
import { uniqueId } from '../../support/records/builders.js';
import { createTestDatabase, type TestDatabase } from '../../support/stores/test-database.js';
import { freePort } from '../../support/stores/free-port.js';
import { TcpProxy } from '../../support/stores/tcp-proxy.js';
import { until } from '../../support/until.js';

const MYSQL_URL = process.env.TEST_MYSQL_URL ?? '';
const describeServer = MYSQL_URL === '' ? describe.skip : describe;

const DAY = 20260131;

describeServer('a group of usage records sent to MySQL', () => {
  let testDatabase: TestDatabase;
  let proxy: TcpProxy;
  let database: Database;
  let store: UsageStore;
  const messages: string[] = [];
  const note = (message: unknown) => void messages.push((message as { readonly query: string }).query);

  beforeAll(async () => {
    testDatabase = await createTestDatabase('mysql');
    proxy = await TcpProxy.to(MYSQL_URL, 3306);
    database = await openDatabase(readConfig({ DATABASE_URL: proxy.urlOf(testDatabase.url) }).database);
    await migrate(database);
    store = new UsageStore(database);
    await store.write([aGroup()]);
    subscribe('tracing:mysql2:query:start', note);
  });
  afterEach(() => {
    messages.length = 0;
  });
  afterAll(async () => {
    unsubscribe('tracing:mysql2:query:start', note);
    await database.close();
    await proxy.close();
    await testDatabase.drop();
  });

  const aGroup = (status = 200): UsageGroup => ({
    id: uniqueId(),
    day: DAY,
    records: [
      {
        request_id: uniqueId(),
        occurred_at: Date.UTC(2026, 0, 31),
        key_id: 'key_1',
        operation: 'profiles.get',
        platform: 'live_platform',
        status,
        quota_units: status === 503 ? 0 : 1,
        credits: 0,
        items_returned: 0,
        duration_ms: 1,
      },
    ],
  });
  const rows = async (sql: string, id: string) => {
    const connection = await createConnection({ uri: testDatabase.url });
    const [found] = await connection.query(sql, [id]);
    await connection.end();
    return found as Record<string, unknown>[];
  };
  const documentsOf = async (id: string) =>
    (await rows('SELECT document FROM usage_journal WHERE group_id = ?', id)).map(({ document }) => String(document));
  const units = async () =>
    Number((await rows('SELECT SUM(quota_units) AS sum FROM usage_totals WHERE key_id = ?', 'key_1'))[0]?.sum);

  it('is one message, from the start of the transaction to its commit', async () => {
    const group = aGroup();
    await store.write([group]);
    expect(messages).toHaveLength(1);
    expect(messages[0]).toMatch(
      /^START TRANSACTION; INSERT INTO usage_journal .*; INSERT INTO usage_totals .*; COMMIT$/s,
    );
    expect(await documentsOf(group.id)).toHaveLength(1);
  });

  it('is one message for a key with a month allowance, too, so that a process that stops holds no lock', async () => {
    const writePlanned = async () => {
      const group = aGroup();
      const plan = { monthUnits: 1_000_000, monthCredits: null };
      await store.write([group], undefined, new Map(group.records.map((record) => [record, plan])));
    };
    // Sums the month first.
    await writePlanned();
    messages.length = 0;
    await writePlanned();
    expect(messages).toHaveLength(1);
    expect(messages[0]).toMatch(
      /^START TRANSACTION; INSERT INTO key_months .*; UPDATE key_months SET quota_units = NULL .*; INSERT INTO usage_journal .*; INSERT INTO usage_totals .*; SELECT .* FOR UPDATE; COMMIT$/s,
    );
  });

  it('is certainly not stored when the server rejects a statement before the commit', async () => {
    const group = aGroup();
    await store.write([group]);
    const [before, documents] = [await units(), await documentsOf(group.id)];
    const again = store.write([aGroup(), { ...group, records: aGroup(503).records }]);
    await expect(again).rejects.toThrow(/Duplicate entry/);
    await expect(again).rejects.not.toBeInstanceOf(CommitUnknownError);
    expect([await units(), await documentsOf(group.id)]).toEqual([before, documents]);
  });

  it('has an unknown outcome when the answer times out, and is stored if the message arrives later', async () => {
    const group = aGroup();
    proxy.hold(group.id);
    await expect(store.write([group], 3000)).rejects.toBeInstanceOf(CommitUnknownError);
    expect(await documentsOf(group.id)).toEqual([]);
    proxy.release();
    await until('it has arrived', async () => (await documentsOf(group.id)).length === 1);
  });

  it('has an unknown outcome when the connection is ended from outside while a statement waits', async () => {
    const group = aGroup();
    const other = await createConnection({ uri: testDatabase.url });
    await other.query('START TRANSACTION');
    await other.query("SELECT requests FROM usage_totals WHERE key_id = 'key_1' FOR UPDATE");
    const written = store.write([group]);
    written.catch(() => undefined);
    await until('it waits for the totals', async () => (await waiting('INSERT INTO usage_totals')).length > 0);
    for (const { id } of await waiting('INSERT INTO usage_totals')) await other.query(`KILL ${String(id)}`);
    await expect(written).rejects.toBeInstanceOf(CommitUnknownError);
    await other.query('COMMIT');
    await other.end();
    expect(await documentsOf(group.id)).toEqual([]);
  });

  it('has an unknown outcome when a proxy answers for one statement of the message', async () => {
    const server = createServer((connection) => {
      connection.on('error', () => undefined);
      connection.serverHandshake({
        protocolVersion: 10,
        serverVersion: '8.0.0',
        connectionId: 1,
        statusFlags: 2,
        characterSet: 45,
        capabilityFlags: 0xffffff ^ 0x800, // without TLS
        authCallback: (_login: unknown, accept: (error: null) => void) => {
          accept(null);
          connection.sequenceId = 0;
        },
      });
      connection.on('query', () => {
        connection.sequenceId = 1;
        connection.writeOk({ affectedRows: 1 });
      });
    });
    const port = await freePort();
    server.listen(port);
    const pool = createPool({ host: '127.0.0.1', port, multipleStatements: true });
    const connection = await promisify(pool.getConnection.bind(pool))();
    const writer = new MysqlMessageWriter(connection, database.dataSource, 1000);
    void writer.insert(UsageGroupEntity, [{ day: DAY, first_at: 1, group_id: uniqueId(), document: '' }]);
    await expect(writer.commit()).rejects.toThrow('answered only some statements');
    expect(writer.mayBeCommitted).toBe(true);
    connection.destroy();
    pool.end();
    for (const each of server.connections) each.destroy();
    await new Promise((resolve) => server.close(resolve));
  });

  it('is settled after an earlier attempt of the same group that holds its row has ended', async () => {
    const [attempt, before] = [aGroup(), await units()];
    const other = await createConnection({ uri: testDatabase.url });
    await other.query('START TRANSACTION');
    await other.query('INSERT INTO usage_journal (day, first_at, group_id, document) VALUES (?, ?, ?, ?)', [
      DAY,
      attempt.records[0]?.occurred_at,
      attempt.id,
      await stolenDocument(),
    ]);
    await other.query("UPDATE usage_totals SET quota_units = quota_units + 1 WHERE key_id = 'key_1'");
    const final = { ...attempt, records: aGroup(503).records };
    const settled = store.settle([final]);
    await until('settling waits', async () => (await waiting('FOR UPDATE')).length > 0);
    await other.query('COMMIT');
    await other.end();
    await settled;
    expect(await documentsOf(attempt.id)).toEqual([expect.stringContaining('503')]);
    expect(await units()).toBe(before);
  });

  /** Returns a stored document of a group with one unit. */
  const stolenDocument = async () => {
    const group = aGroup();
    await store.write([group]);
    const [document] = await documentsOf(group.id);
    await store.settle([{ ...group, records: aGroup(503).records }]);
    return document;
  };
  const waiting = (sql: string) =>
    rows(
      `SELECT id FROM information_schema.processlist WHERE info LIKE '%${sql}%' AND info NOT LIKE '%processlist%' AND db = ?`,
      new URL(testDatabase.url).pathname.slice(1),
    );
});
