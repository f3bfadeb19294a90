import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createConnection, type Connection } from 'mysql2/promise';
import { DIALECTS } from '../../support/stores/test-database.js';
import { httpRequest } from '../../support/http/request.js';
import { runForJson } from '../../support/service/command.js';
import { createTestDatabase, type TestDatabase } from '../../support/stores/test-database.js';
import { ServiceProcess } from '../../support/process/processes.js';

const describeMysql = DIALECTS.includes('mysql') ? describe : describe.skip;

describeMysql('a server that rejects the session statements', () => {
  const user = `limited_${randomBytes(4).toString('hex')}`;
  let root: Connection;
  let limited: Connection;
  let database: TestDatabase;
  let service: ServiceProcess;
  let key: string;
  beforeAll(async () => {
    database = await createTestDatabase('mysql');
    await runForJson(database, 'migrate');
    ({ key } = await runForJson(database, 'keys', 'create', '--name', 'x'));
    root = await createConnection({ uri: database.url });
    await root.query(`CREATE USER ${user}@'%' IDENTIFIED BY 'x' WITH MAX_QUERIES_PER_HOUR 1`);
    await root.query(`GRANT SELECT ON *.* TO ${user}@'%'`);
    const replica = new URL(database.url);
    replica.username = user;
    replica.password = 'x';
    // Uses up the hourly limit of one statement, so the first statement of every new session is rejected.
    limited = await createConnection({ uri: replica.toString() });
    await limited.query('SELECT 1');
    service = await ServiceProcess.start({ DATABASE_URL: database.url, DATABASE_REPLICA_URLS: replica.toString() });
  });
  afterAll(async () => {
    await service.stop();
    await limited.end();
    await root.query(`DROP USER ${user}@'%'`);
    await root.end();
    await database.drop();
  });

  it('does not end the process: the replica is bypassed, and the primary answers', async () => {
    const lists = ['profiles', 'content', 'profiles?sort=followers', 'content?order=asc'];
    const ask = (list: string) =>
      httpRequest(service.origin, `/platforms/live_platform/${list}`, { headers: { 'x-api-key': key } });
    // Concurrent, so that each has its own connection.
    const answers = await Promise.all([...lists, ...lists].map(ask));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect((await httpRequest(service.origin, '/health')).status).toBe(200);
  });
});
