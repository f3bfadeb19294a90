import { once } from 'node:events';
import type { Socket } from 'node:net';
import { expect, it } from '@jest/globals';
import { connectTo, exchange, parseAnswers, type RawAnswer } from '../../support/http/raw-socket.js';
import { describeService } from '../../support/service/test-service.js';
import { until } from '../../support/until.js';
import { exportedRecords, recordOf } from '../../support/service/usage.js';

const LIST = '/platforms/live_platform/profiles';
const BODY = JSON.stringify({ profile_ids: ['none'] });

/** More uploads than the limit of requests in flight. */
const MANY = 1100;

/** Sends bytes and collects the answers. */
function open(origin: string, bytes: string): { readonly socket: Socket; readonly answers: () => RawAnswer[] } {
  const socket = connectTo(origin);
  let received = Buffer.alloc(0);
  socket.on('data', (chunk) => (received = Buffer.concat([received, chunk])));
  socket.write(bytes);
  return { socket, answers: () => parseAnswers(received) };
}

describeService(
  'slow clients',
  (service) => {
    const head = (path: string, key: string, length: number) =>
      `POST ${path} HTTP/1.1\r\nHost: test\r\nContent-Type: application/json\r\nx-api-key: ${key}\r\n` +
      `Content-Length: ${length}\r\n\r\n`;

    it.each([LIST, '/mcp'])(
      'waiting uploads to %s occupy no slot: other requests are answered beside more uploads than slots',
      async (path) => {
        const slow = Array.from({ length: MANY }, () => open(service().origin, `${head(path, service().key, 1000)}{`));
        await until('uploads beyond the limit of the key are rejected', () =>
          slow.some(({ answers }) => answers().length > 0),
        );
        expect((await service().get(`${LIST}/none`)).status).toBe(404);
        expect((await service().post(LIST, BODY)).status).toBe(200);
        await until('all have ended', () => slow.every(({ answers }) => answers().length > 0));
        const statuses = new Set(slow.map(({ answers }) => answers()[0]?.status));
        // While the machine is busy, a place may not become free in time.
        statuses.delete(503);
        expect(statuses).toEqual(new Set([408, 429]));
        for (const { socket } of slow) socket.destroy();
      },
    );

    it('a body that does not arrive in time is answered 408 in the envelope, recorded, free, and closes the connection', async () => {
      const { answers, closedAfterMs } = await exchange(
        service().origin,
        `${head(LIST, service().key, BODY.length)}{`,
        { withinMs: 10_000 },
      );
      const requestId = answers[0]?.headers['x-request-id'];
      expect(answers[0]).toMatchObject({
        status: 408,
        headers: { connection: 'close', 'x-quota-units': '0', 'x-credits': '0' },
        body: {
          error: expect.objectContaining({
            status: 408,
            message: 'Request body did not arrive in time',
            code: 'request_timeout',
          }),
          meta: { request_id: requestId },
        },
      });
      expect(closedAfterMs).not.toBeNull();
      const record = await recordOf(service(), requestId);
      expect(record).toMatchObject({ status: 408, operation: 'profiles.batch', quota_units: 0, credits: 0 });
    });

    it('a body may arrive in pieces of any size', async () => {
      const { socket, answers } = open(service().origin, head(LIST, service().key, BODY.length));
      for (const letter of BODY) {
        socket.write(letter);
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      await until('it is answered', () => answers().length > 0);
      expect(answers()[0]).toMatchObject({ status: 200, body: { payload: [], meta: { missing_ids: ['none'] } } });
      socket.destroy();
    });

    it('a body that is not needed closes the connection after the error', async () => {
      const { answers, closedAfterMs } = await exchange(service().origin, `${head(LIST, 'wrong', 1000)}{`);
      expect(answers.map(({ status }) => status)).toEqual([403]);
      expect(answers[0]?.headers.connection).toBe('close');
      expect(closedAfterMs).not.toBeNull();
    });
  },
  { BODY_TIMEOUT_SECONDS: '3' },
);

describeService('clients that disconnect before their answer is read', (service) => {
  const ANALYSIS = `${LIST}/gone/analysis`;

  it.each([
    ['close their connection', (socket: Socket) => socket.destroy()],
    ['reset their connection', (socket: Socket) => socket.resetAndDestroy()],
  ])('are recorded as 499 and not charged: %s', async (_, close) => {
    const { id, key } = await service().newKey(1000);
    const bytes = `GET ${ANALYSIS} HTTP/1.1\r\nHost: test\r\nx-api-key: ${key}\r\n\r\n`;
    for (let nth = 0; nth < 50; nth += 1) {
      const socket = connectTo(service().origin);
      socket.write(bytes, () => close(socket));
    }
    const { answers } = await exchange(service().origin, bytes, { answers: 1 });
    expect(answers[0]?.status).toBe(404);
    const records = async () => (await exportedRecords(service())).filter((row) => row.key_id === id);
    await until('all are recorded', async () => (await records()).length === 51);
    const abandoned = (await records()).filter(({ status }) => status !== 404);
    expect(abandoned.length).toBe(50);
    for (const row of abandoned) {
      expect(row).toMatchObject({
        status: 499,
        operation: 'analysis.get',
        quota_units: 0,
        credits: 0,
        items_returned: 0,
      });
    }
  });

  const ids = JSON.stringify({ profile_ids: Array.from({ length: 50 }, (_, index) => `none-${index}`) });

  it.each([
    ['lists', '1.0', `GET ${LIST}?limit=50`, ''],
    ['lists', '1.1', `GET ${LIST}?limit=50`, ''],
    ['batches', '1.1', `POST ${LIST}`, ids],
  ])(
    'are not charged when they are %s that a client of HTTP/%s pipelined before it left',
    async (_, version, line, body) => {
      // Earlier answers show how large the records are.
      expect((await service().get(`${LIST}?limit=50`)).status).toBe(200);
      const { id, key } = await service().newKey(10_000);
      const bytes =
        `${line} HTTP/${version}\r\nConnection: keep-alive\r\nHost: test\r\nx-api-key: ${key}\r\n` +
        (body && `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`) +
        `\r\n${body}`;
      for (let nth = 0; nth < 20; nth += 1) {
        const socket = connectTo(service().origin);
        socket.write(bytes.repeat(20), () => socket.destroy());
      }
      const records = async () => (await exportedRecords(service())).filter((row) => row.key_id === id);
      await until('one of each connection is recorded', async () => (await records()).length >= 20);
      await service().get('/usage', { 'x-api-key': key });
      const charged = (await records()).filter(
        ({ quota_units, operation }) => quota_units > 0 && operation !== 'usage.get',
      );
      expect(charged).toEqual([]);
    },
  );

  it('are not charged for tool calls that wait for their turn', async () => {
    const { id, key } = await service().newKey(10_000);
    const call = { name: 'profiles_search', arguments: { platform: 'live_platform', text: 'a', count: true } };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: call });
    const bytes =
      `POST /mcp HTTP/1.1\r\nHost: test\r\nContent-Type: application/json\r\nx-api-key: ${key}\r\n` +
      `Content-Length: ${body.length}\r\n\r\n${body}`;
    const sockets = Array.from({ length: 200 }, () => connectTo(service().origin));
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    for (const socket of sockets) socket.write(bytes, () => socket.destroy());
    await service().get('/usage', { 'x-api-key': key });
    const records = async () => (await exportedRecords(service())).filter((row) => row.key_id === id);
    await until('the last message was handled', async () => (await records()).length > 0);
    expect((await records()).filter(({ operation }) => operation === 'profiles.search').length).toBeLessThan(20);
  });

  it('are recorded as 499 and not charged when their upload is cut off', async () => {
    const { id, key } = await service().newKey(1000);
    const socket = connectTo(service().origin);
    socket.write(
      `POST ${LIST} HTTP/1.1\r\nHost: test\r\nContent-Type: application/json\r\nx-api-key: ${key}\r\nContent-Length: 99\r\n\r\n{`,
    );
    setTimeout(() => socket.destroy(), 100);
    const records = async () => (await exportedRecords(service())).filter((row) => row.key_id === id);
    await until('it is recorded', async () => (await records()).length === 1);
    expect(await records()).toMatchObject([{ status: 499, operation: 'profiles.batch', quota_units: 0, credits: 0 }]);
  });
});
