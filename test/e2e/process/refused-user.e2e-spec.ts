import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createConnection, type Connection } from 'mysql2/promise';
import { httpRequest } from '../../support/http/request.js';
import { ServiceProcess } from '../../support/process/processes.js';
import { runForJson } from '../../support/service/command.js';
import { createTestDatabase, DIALECTS, type TestDatabase } from '../../support/stores/test-database.js';
import { until } from '../../support/until.js';

const describeOnMysql = DIALECTS.includes('mysql') ? describe : describe.skip;

describeOnMysql('a service whose database user', () => {
  const user = `cd_refused_${randomBytes(6).toString('hex')}`;
  let database: TestDatabase;
  /** Connection of an administrator. */
  let connection: Connection;
  let key: string;
  let running: ServiceProcess;
  beforeEach(async () => {
    database = await createTestDatabase('mysql');
    await runForJson(database, 'migrate');
    ({ key } = await runForJson(database, 'keys', 'create', '--name', 'x'));
    connection = await createConnection({ uri: database.url });
    const url = new URL(database.url);
    [url.username, url.password] = [user, 'x'];
    await connection.query(`CREATE USER ${user} IDENTIFIED BY 'x'`);
    await connection.query(`GRANT ALL ON ${url.pathname.slice(1)}.* TO ${user}`);
    running = await ServiceProcess.start({ DATABASE_URL: url.toString(), DATA_DIR: database.folder });
  });
  afterEach(async () => {
    await running.stop('SIGKILL');
    await connection.query(`DROP USER ${user}`);
    await connection.end();
    await database.drop();
  });

  const get = (path: string) => httpRequest(running.origin, path, { headers: { 'x-api-key': key } });
  /** Closes the connections of the user, so that the service connects again. */
  const disconnect = async () => {
    const [rows] = await connection.query('SELECT id FROM information_schema.processlist WHERE user = ?', [user]);
    for (const { id } of rows as { id: number }[]) await connection.query(`KILL ${id}`);
  };

  it('is locked answers 503 as in any outage, logs it once, and serves again without a restart', async () => {
    const status = async () => (await get('/games/search?query=x')).status;
    expect(await status()).toBe(200);
    await connection.query(`ALTER USER ${user} ACCOUNT LOCK`);
    await disconnect();
    expect([await status(), await status()]).toEqual([503, 503]);
    await connection.query(`ALTER USER ${user} ACCOUNT UNLOCK`);
    await until('it serves again', async () => (await status()) === 200);
    expect(running.process.out.match(/"level":50/g)).toBeNull();
  });

  it('has a time limit for statements answers 503 when the server ends one', async () => {
    const profile = () => get('/platforms/live_platform/profiles/1');
    await connection.query(`ALTER USER ${user} WITH MAX_STATEMENT_TIME 1`);
    await disconnect();
    await until('it has connected again', async () => (await profile()).status === 404);
    await connection.query('LOCK TABLES profiles WRITE');
    const { status, headers } = await profile();
    expect([status, headers['retry-after']]).toEqual([503, expect.stringMatching(/^\d+$/)]);
    await connection.query('UNLOCK TABLES');
    expect((await profile()).status).toBe(404);
  });
});
