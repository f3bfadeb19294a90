import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runForJson } from '../../support/service/command.js';
import { createTestDatabase, DIALECTS, type TestDatabase } from '../../support/stores/test-database.js';
import { freePort } from '../../support/stores/free-port.js';
import { CONFIGURATION, Haproxy, HAS_HAPROXY } from '../../support/deployment/haproxy.js';
import { httpRequest } from '../../support/http/request.js';
import { runBuiltCommand, ServiceProcess } from '../../support/process/processes.js';
import { until } from '../../support/until.js';
import { ALL_DAYS, parseExport } from '../../support/service/usage.js';

const REDIS_URL = process.env.TEST_REDIS_URL ?? '';

/** Wrong keys that an address may send in a minute. */
const GUESSES = 30;

const CLIENTS = 16;

/** Log line of a replica that has answered a wrong key. */
const ANSWERED = /"operation":"usage\.get"/;

(HAS_HAPROXY ? describe : describe.skip)('deploy/haproxy/haproxy.cfg', () => {
  it('is accepted by HAProxy without a warning', () => {
    const { status, stderr } = spawnSync('haproxy', ['-c', '-f', CONFIGURATION], { encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, '']);
  });
});

(HAS_HAPROXY ? describe : describe.skip).each(DIALECTS)('two replicas behind HAProxy (%s)', (dialect) => {
  const addresses = ['127.0.0.2', '127.0.0.3'];
  let database: TestDatabase;
  let port: number;
  let key: string;
  const replicas: ServiceProcess[] = [];
  let proxy: Haproxy;

  const start = (address: string): Promise<ServiceProcess> =>
    ServiceProcess.start({
      DATABASE_URL: database.url,
      DATA_DIR: database.folder,
      HOST: address,
      PORT: String(port),
      TRUST_PROXY: '1',
      LOG_REQUESTS: 'all',
      ...(REDIS_URL === '' ? {} : { REDIS_URL }),
    });
  /** Sends a wrong key from a local address, claiming another one. @returns the status */
  const guessFrom = (localAddress: string, forged: string): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      const headers = { 'x-api-key': 'wrong', 'x-forwarded-for': forged };
      const { hostname, port: at } = new URL(proxy.origin);
      request({ hostname, port: at, path: '/usage', localAddress, headers, agent: false }, (answer) => {
        answer.resume().on('end', () => resolve(answer.statusCode));
      })
        .on('error', reject)
        .end();
    });

  beforeAll(async () => {
    database = await createTestDatabase(dialect);
    port = await freePort();
    await runForJson(database, 'migrate');
    ({ key } = await runForJson(database, 'keys', 'create', '--name', 'x', '--rate-limit', '1000000000'));
    for (const address of addresses) replicas.push(await start(address));
    proxy = await Haproxy.start(addresses, port);
    await until('the proxy has found a replica', async () => (await fetch(`${proxy.origin}/health`)).ok);
  });
  afterAll(async () => {
    await proxy.stop();
    for (const replica of replicas) await replica.stop('SIGKILL');
    await database.drop();
  });

  it('answer all requests while first one of them and then the other is stopped and restarted', async () => {
    const answers: [status: number, isOfReplica: boolean][] = [];
    let isOver = false;
    const client = async () => {
      while (!isOver) {
        const answer = await fetch(`${proxy.origin}/usage`, { headers: { 'x-api-key': key } });
        await answer.text();
        // Answers of the proxy itself have no request ID.
        answers.push([answer.status, answer.headers.has('x-request-id')]);
      }
    };
    const more = (count: number) => {
      const before = answers.length;
      return until('requests are answered', () => answers.length > before + count);
    };
    const clients = Array.from({ length: CLIENTS }, client);
    try {
      for (const [nth, replica] of replicas.entries()) {
        // Connections in the accept queue of a replica are lost when it closes its listening socket; a proxy opens
        // few.
        await more(10 * CLIENTS);
        expect((await replica.stop()).status).toBe(0);
        await more(CLIENTS);
        replicas[nth] = await start(addresses[nth] ?? '');
        await replicas[nth].process.printed(ANSWERED);
      }
    } finally {
      isOver = true;
      await Promise.all(clients);
    }
    expect(answers.filter(([status]) => status !== 200)).toEqual([]);
    const { out } = await runBuiltCommand(['usage', 'export', '--format', 'ndjson', ...ALL_DAYS], {
      DATABASE_URL: database.url,
    });
    expect(parseExport(out).filter(({ status }) => status === 200)).toHaveLength(answers.length);
  });

  it('count wrong keys by the address of the caller, whatever address it claims', async () => {
    const [guesser, other] = [anyAddress(), anyAddress()];
    const statuses: (number | undefined)[] = [];
    for (let count = 0; count < 2 * (GUESSES + 1); count += 1) statuses.push(await guessFrom(guesser, anyAddress()));
    // Without Redis each replica counts separately, and a new minute may have started.
    expect([statuses[0], statuses.at(-1)]).toEqual([403, 429]);
    expect(await guessFrom(other, guesser)).toBe(403);
  });

  it('are replaced by an answer of the proxy in their envelope when both are down', async () => {
    for (const replica of replicas) await replica.stop();
    const { status, headers, body } = await httpRequest(proxy.origin, '/usage', { headers: { 'x-api-key': key } });
    expect([status, headers['retry-after'], body.error]).toEqual([
      503,
      '1',
      expect.objectContaining({ status: 503, message: 'Service unavailable', code: 'service_unavailable' }),
    ]);
    expect(body.meta.request_id).toMatch(/^[\da-f]{8}-[\da-f]{4}-/);
  });
});

/** Returns a local address that no other test has used. */
const anyAddress = (): string => `127.${[randomInt(1, 255), randomInt(1, 255), randomInt(1, 255)].join('.')}`;
