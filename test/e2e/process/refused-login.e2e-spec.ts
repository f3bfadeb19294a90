import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { createConnection } from 'mysql2/promise';
import { httpRequest } from '../../support/http/request.js';
import { ServiceProcess } from '../../support/process/processes.js';
import { runForJson } from '../../support/service/command.js';
import { createTestDatabase, DIALECTS } from '../../support/stores/test-database.js';
import { until } from '../../support/until.js';

const describeOnMysql = DIALECTS.includes('mysql') ? describe : describe.skip;

describeOnMysql('a service whose database refuses', () => {
  it('the login answers 503 as in any outage, logs it once, and serves again without a restart', async () => {
    const database = await createTestDatabase('mysql');
    await runForJson(database, 'migrate');
    const { key } = await runForJson(database, 'keys', 'create', '--name', 'x');
    const connection = await createConnection({ uri: database.url });
    const url = new URL(database.url);
    [url.username, url.password] = [`cd_locked_${randomBytes(6).toString('hex')}`, 'x'];
    await connection.query(`CREATE USER ${url.username} IDENTIFIED BY 'x'`);
    await connection.query(`GRANT ALL ON ${url.pathname.slice(1)}.* TO ${url.username}`);
    const running = await ServiceProcess.start({ DATABASE_URL: url.toString(), DATA_DIR: database.folder });
    const get = async () =>
      (await httpRequest(running.origin, '/games/search?query=x', { headers: { 'x-api-key': key } })).status;
    try {
      expect(await get()).toBe(200);
      await connection.query(`ALTER USER ${url.username} ACCOUNT LOCK`);
      const [rows] = await connection.query('SELECT id FROM information_schema.processlist WHERE user = ?', [
        url.username,
      ]);
      for (const { id } of rows as { id: number }[]) await connection.query(`KILL ${id}`);
      expect([await get(), await get()]).toEqual([503, 503]);
      await connection.query(`ALTER USER ${url.username} ACCOUNT UNLOCK`);
      await until('it serves again', async () => (await get()) === 200);
      expect(running.process.out.match(/"level":50/g)).toBeNull();
    } finally {
      await running.stop('SIGKILL');
      await connection.query(`DROP USER ${url.username}`);
      await connection.end();
      await database.drop();
    }
  });

  it('a statement that takes too long answers 503', async () => {
    const database = await createTestDatabase('mysql');
    await runForJson(database, 'migrate');
    const { key } = await runForJson(database, 'keys', 'create', '--name', 'x');
    const connection = await createConnection({ uri: database.url });
    const url = new URL(database.url);
    [url.username, url.password] = [`cd_limited_${randomBytes(6).toString('hex')}`, 'x'];
    await connection.query(`CREATE USER ${url.username} IDENTIFIED BY 'x' WITH MAX_STATEMENT_TIME 1`);
    await connection.query(`GRANT ALL ON ${url.pathname.slice(1)}.* TO ${url.username}`);
    const running = await ServiceProcess.start({ DATABASE_URL: url.toString(), DATA_DIR: database.folder });
    const get = () =>
      httpRequest(running.origin, '/platforms/live_platform/profiles/1', { headers: { 'x-api-key': key } });
    try {
      await connection.query('LOCK TABLES profiles WRITE');
      const { status, headers } = await get();
      expect([status, headers['retry-after']]).toEqual([503, expect.stringMatching(/^\d+$/)]);
      await connection.query('UNLOCK TABLES');
      expect((await get()).status).toBe(404);
    } finally {
      await running.stop('SIGKILL');
      await connection.query(`DROP USER ${url.username}`);
      await connection.end();
      await database.drop();
    }
  });
});
