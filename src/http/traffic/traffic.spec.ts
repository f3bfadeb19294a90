import { once } from 'node:events';
import { createServer, IncomingMessage, ServerResponse, type Server } from 'node:http';
import { connect, Socket, type AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { ApiResponse } from '../api-request.js';
import { Traffic, TRAFFIC_LIMITS, type TrafficLimits } from './traffic.js';
import { UNSENT_LIMITS, UnsentBytes } from './unsent-bytes.js';

/** More than the kernel accepts for a client that does not read. */
const LARGE = Buffer.alloc(30_000_000);
const REQUEST = 'GET / HTTP/1.1\r\nHost: test\r\n\r\n';

let server: Server;
const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  server.closeAllConnections();
  server.close();
});

type Overrides = { [Part in keyof TrafficLimits]?: Partial<TrafficLimits[Part]> };

/** A server that keeps the responses it has begun; `answer` sends them. */
async function serve(limits: Overrides, answer: (response: ApiResponse, traffic: Traffic) => unknown) {
  const begun: ApiResponse[] = [];
  class OwnResponse extends ApiResponse {}
  server = createServer({ IncomingMessage, ServerResponse: OwnResponse as unknown as typeof ServerResponse });
  const traffic = new Traffic(
    server,
    {
      handle: (_request, response) => {
        begun.push(response as ApiResponse);
        answer(response as ApiResponse, traffic);
      },
      reject: (_request, response, { status }) => response.writeHead(status).end(),
    },
    {
      // Waiting requests are rejected only where a test says so, however busy the machine is.
      inFlight: { ...TRAFFIC_LIMITS.inFlight, maxWaitMs: 60_000, ...limits.inFlight },
      readers: { ...TRAFFIC_LIMITS.readers, ...limits.readers },
      uploads: { ...TRAFFIC_LIMITS.uploads, ...limits.uploads },
      maxPipelined: Number(limits.maxPipelined ?? TRAFFIC_LIMITS.maxPipelined),
      sampleMs: 20,
    },
  );
  server.on('request', (request, response: ApiResponse) => {
    response.traffic = traffic;
    traffic.receive(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { begun, traffic };
}

function client(requests: number): Socket {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').pause();
  socket.on('error', () => undefined);
  socket.write(REQUEST.repeat(requests));
  sockets.push(socket);
  return socket;
}

/** The number of open connections. */
const open = () => new Promise<number>((resolve) => server.getConnections((_error, count) => resolve(count)));

async function soon(holds: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 30_000;
  while (!(await holds()) && Date.now() < deadline) await delay(5);
}

/** Sends a large answer, which counts until it was sent. */
const large = (response: ApiResponse, traffic: Traffic) => {
  traffic.unsent.track(response, LARGE.length, 'a key');
  traffic.inFlight.end(response);
  response.end(LARGE);
};

describe('Pipelining', () => {
  it('starts a pipelined request when the answer before it was sent, and then all, in order', async () => {
    const { begun } = await serve({}, large);
    const socket = client(3);
    await soon(() => begun.length > 0);
    await delay(100);
    expect(begun).toHaveLength(1);
    let bytes = 0;
    socket.on('data', ({ length }: Buffer) => (bytes += length));
    socket.resume();
    await soon(() => bytes >= 3 * LARGE.length);
    expect(begun).toHaveLength(3);
  });

  it('serves other connections between the requests that one has pipelined', async () => {
    const order: string[] = [];
    await serve({}, (response, { inFlight }) => {
      order.push(response.req.url ?? '');
      inFlight.end(response);
      response.end();
    });
    client(1000).resume();
    await soon(() => order.length > 0);
    client(0).resume().write(REQUEST.replace(' / ', ' /other '));
    await soon(() => order.length === 1001);
    expect(order.indexOf('/other')).toBeLessThan(500);
  });

  it('closes a connection with more requests waiting than the process keeps', async () => {
    const { begun } = await serve({ maxPipelined: 5 }, () => undefined);
    client(6);
    await soon(() => begun.length === 1);
    await delay(50);
    expect([await open(), begun.length]).toEqual([1, 1]);
    client(2);
    await soon(async () => begun.length === 2 && (await open()) === 1);
    expect(await open()).toBe(1);
  });
});

describe('UnsentBytes', () => {
  it('closes a connection that accepts nothing for a while, and not one that reads slowly', async () => {
    // A process that has to wait for its turn must not pass for a reader that has stopped.
    const stalledMs = 2000;
    const { begun } = await serve({ readers: { stalledMs } }, large);
    client(1);
    const slow = client(1);
    slow.on('data', () => slow.pause());
    const reading = setInterval(() => slow.resume(), 5);
    await soon(() => begun.length === 2);
    await soon(async () => (await open()) === 1);
    await delay(stalledMs * 1.2);
    clearInterval(reading);
    expect([await open(), slow.destroyed]).toEqual([1, false]);
  });

  it('closes stalled connections earlier when too many bytes are unsent, and no more of them than necessary', async () => {
    const { begun } = await serve({ readers: { highBytes: LARGE.length * 1.5, pressureMs: 100 } }, large);
    client(1);
    await soon(() => begun.length === 1);
    await delay(200);
    expect(await open()).toBe(1);
    client(1);
    await soon(async () => begun.length === 2 && (await open()) === 1);
    await delay(200);
    expect(begun.filter(({ destroyed }) => destroyed)).toHaveLength(1);
  });

  it('closes the slowest connections once too many bytes are unsent, and not those that read or have just begun', () => {
    const unsent = new UnsentBytes({ ...UNSENT_LIMITS, maxBytes: 250, highBytes: 100 });
    const open = new Map<string, { bytesWritten: number; writableLength: number; destroy: () => void }>();
    const begin = (name: string) =>
      open.set(name, { bytesWritten: 0, writableLength: 100, destroy: () => void open.delete(name) });
    const sample = () => {
      unsent.closeSlow([...open.values()] as unknown as Socket[]);
      return [...open.keys()];
    };
    for (const name of ['reader', 'slow', 'unread']) begin(name);
    expect(sample()).toEqual(['reader', 'slow', 'unread']);
    Object.assign(open.get('reader') ?? {}, { bytesWritten: 50 });
    Object.assign(open.get('slow') ?? {}, { bytesWritten: 1 });
    begin('begun');
    expect(sample()).toEqual(['reader', 'begun']);
    expect(sample()).toEqual(['reader', 'begun']);
  });

  it('lets lists and batches wait while too many bytes are unsent, and rejects them if that takes too long', async () => {
    const { begun, traffic } = await serve({ readers: { maxBytes: LARGE.length / 2 } }, large);
    await traffic.unsent.waitForRoom(0);
    const first = client(1);
    await soon(() => begun.length === 1);
    await expect(traffic.unsent.waitForRoom(100)).rejects.toMatchObject({ code: 'overloaded' });
    const waiting = traffic.unsent.waitForRoom(60_000);
    first.resume();
    await waiting;
    expect(traffic.unsent.hasRoom).toBe(true);
  });

  it('starts look-ups beside unread answers, however many bytes they have', async () => {
    const { begun } = await serve({ readers: { maxBytes: LARGE.length / 2, maxBytesPerKey: LARGE.length / 4 } }, large);
    client(1);
    await soon(() => begun.length === 1);
    client(1);
    await soon(() => begun.length === 2);
    expect(begun).toHaveLength(2);
  });

  it('leaves each key its share once many bytes are unsent, so that few keys cannot take all', () => {
    const unsent = new UnsentBytes({ ...UNSENT_LIMITS, maxBytesPerKey: 80, sharedBytes: 100 });
    const answer = new ServerResponse(new IncomingMessage(new Socket()));
    for (const [key, bytes] of [
      ['a', 60],
      ['b', 30],
      [null, 10],
    ] as const)
      unsent.track(answer, bytes, key);
    const exceeding = () => ['a', 'b', 'c'].filter((key) => unsent.exceedsUnsentLimit(key));
    expect(exceeding()).toEqual([]);
    unsent.track(answer, 5, 'b');
    expect(exceeding()).toEqual(['a', 'b']);
    unsent.track(answer, 85, 'c');
    expect(exceeding()).toEqual(['a', 'b', 'c']);
    answer.emit('close');
    expect(exceeding()).toEqual([]);
  });

  it('knows whose answers are unread, until they were sent', async () => {
    const { traffic } = await serve({ readers: { maxBytesPerKey: LARGE.length / 2 } }, large);
    const first = client(1);
    await soon(() => traffic.unsent.exceedsUnsentLimit('a key'));
    expect(['a key', 'another key'].map((key) => traffic.unsent.exceedsUnsentLimit(key))).toEqual([true, false]);
    first.resume();
    await soon(() => !traffic.unsent.exceedsUnsentLimit('a key'));
    expect(traffic.unsent.exceedsUnsentLimit('a key')).toBe(false);
  });
});

describe('InFlight', () => {
  it('starts as many requests as may be in flight, and forgets waiting ones whose client has gone', async () => {
    const { begun, traffic } = await serve({ inFlight: { maxInFlight: 2 } }, () => undefined);
    const [first] = [client(1), client(1), client(1), client(1)];
    await soon(() => begun.length === 2);
    await delay(100);
    expect(begun).toHaveLength(2);
    const [, second] = begun;
    if (second !== undefined) traffic.inFlight.end(second);
    await soon(() => begun.length === 3);
    expect(begun).toHaveLength(3);
    first.destroy();
    await soon(() => begun.length === 4);
    expect(begun).toHaveLength(4);
  });

  it.each([
    ['/health', 'bypasses the limit'],
    ['/health/live?x=1', 'bypasses the limit'],
    ['/healthX', 'is rejected'],
    ['/health/', 'is rejected'],
  ])('rejects requests that wait too long for a slot, and tells so: %s %s', async (path, what) => {
    const { begun, traffic } = await serve({ inFlight: { maxInFlight: 1, maxWaitMs: 100 } }, () => undefined);
    client(1);
    await soon(() => begun.length === 1);
    expect(traffic.inFlight.hasRecentRejection).toBe(false);
    const rejected = client(1).resume();
    expect(String((await once(rejected, 'data'))[0])).toMatch(/^HTTP\/1\.1 503 Service Unavailable\r\n/);
    expect([begun.length, traffic.inFlight.hasRecentRejection, traffic.inFlight.rejected]).toEqual([1, true, 1]);
    client(0).write(REQUEST.replace(' / ', ` ${path} `));
    await soon(() => begun.length === 2 || traffic.inFlight.rejected === 2);
    expect(begun).toHaveLength(what === 'is rejected' ? 1 : 2);
  });

  it('gives the slot of a streamed response to others once its headers are sent', async () => {
    const { begun } = await serve({ inFlight: { maxInFlight: 1 } }, (response) =>
      response.writeHead(200).write('a part'),
    );
    client(1);
    client(1);
    await soon(() => begun.length === 2);
    expect(begun).toHaveLength(2);
  });

  it('gives the slot of an upload to others, and has it wait for one when its body is there', async () => {
    const uploads: Promise<string>[] = [];
    let finish: (() => void) | undefined;
    const { begun, traffic } = await serve({ inFlight: { maxInFlight: 1 } }, (response, { inFlight }) => {
      if (uploads.length > 0) return;
      const body = new Promise<void>((resolve) => (finish = resolve));
      uploads.push(
        response.traffic.upload(response, { keyId: 'a key', address: '' }, () => body).then(() => 'resumed'),
      );
      expect(inFlight.count).toBe(0);
    });
    client(1);
    client(1);
    await soon(() => begun.length === 2);
    expect([begun.length, traffic.inFlight.count]).toEqual([2, 1]);
    finish?.();
    expect(await Promise.race([uploads[0], delay(100)])).toBeUndefined();
    const [, second] = begun;
    if (second !== undefined) traffic.inFlight.end(second);
    expect(await uploads[0]).toBe('resumed');
    expect(traffic.inFlight.count).toBe(1);
  });
});
