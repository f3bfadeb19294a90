import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '../../support/stores/test-database.js';
import { httpRequest, type RequestOptions } from '../../support/http/request.js';
import { runBuiltCommand, ServiceProcess } from '../../support/process/processes.js';
import { TestService } from '../../support/service/test-service.js';

describe('the built service', () => {
  let database: TestDatabase;
  let service: ServiceProcess;
  beforeAll(async () => {
    database = await createTestDatabase('sqlite');
    service = await ServiceProcess.start({ DATABASE_URL: database.url, LOG_LEVEL: 'trace' });
  });
  afterAll(async () => {
    await service.stop();
    await database.drop();
  });

  const command = (...args: string[]) => runBuiltCommand(args, { DATABASE_URL: database.url, LOG_LEVEL: 'trace' });

  it('serves the same openapi.json as the application in the tests', async () => {
    const inProcess = await TestService.start('sqlite');
    try {
      const served = await httpRequest(service.origin, '/openapi.json');
      expect(served.status).toBe(200);
      expect(Object.keys(served.body.paths).length).toBeGreaterThan(10);
      expect(served.body).toEqual((await inProcess.get('/openapi.json')).body);
    } finally {
      await inProcess.stop();
    }
  });

  it('rejects a key that another process rotated or revoked with the very next request', async () => {
    const statusOf = async (key: string) =>
      (await httpRequest(service.origin, '/usage', { headers: { 'x-api-key': key } })).status;
    const { id, key } = JSON.parse((await command('keys', 'create', '--name', 'x', '--json')).out);
    expect(await statusOf(key)).toBe(200);
    const rotated = JSON.parse((await command('keys', 'rotate', id, '--json')).out).key;
    expect([await statusOf(key), await statusOf(rotated)]).toEqual([403, 200]);
    await command('keys', 'revoke', id);
    expect(await statusOf(rotated)).toBe(403);
  });

  it('never writes a key into its log', async () => {
    const created = await command('keys', 'create', '--name', 'x', '--rate-limit', '8', '--json');
    const { id, key } = JSON.parse(created.out);
    const headers = { 'x-api-key': key };
    const requests: readonly [string, RequestOptions][] = [
      ['/usage', { headers }],
      [`/usage?x-api-key=${key}`, { headers }],
      [`/platforms/live_platform/profiles/${key}`, { headers }],
      [`/no/${key}`, { headers }],
      ['/%E0', { headers }],
      ['/platforms/live_platform/profiles', { headers, method: 'POST', body: key }],
      [
        '/platforms/live_platform/profiles',
        { headers: { ...headers, 'content-type': 'application/json' }, method: 'POST', body: `{"${key}` },
      ],
      ['/usage', { headers: { 'x-api-key': `${key}0` } }],
      ['/usage', { headers: { 'x-api-key': [key, key] } }],
      ['/usage', { headers: { authorization: `Bearer ${key}` } }],
      ['/usage', { headers }],
      ['/usage', { headers }],
    ];
    const answers = [];
    for (const [path, options] of requests) answers.push(await httpRequest(service.origin, path, options));
    expect(answers.map(({ status }) => status)).toEqual([200, 400, 404, 404, 400, 415, 400, 403, 403, 401, 200, 429]);

    const revoked = await command('keys', 'revoke', id);
    const list = await command('keys', 'list');
    const text = [service.process.out, service.process.err, created.err, revoked.out, revoked.err, list.out].join('\n');
    expect(service.process.out).toContain('"serving"');
    for (const secret of [key, key.slice(4, 44)]) expect(text).not.toContain(secret);
    expect(answers.filter((answer) => answer.text.includes(key))).toEqual([]);
  });

  it('logs one JSON object a line', () => {
    const lines = service.process.out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.find(({ msg }) => msg === 'serving')).toMatchObject({ database: 'sqlite', redis: false });
  });
});
