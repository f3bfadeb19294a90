import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { Server as NetServer, type AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';
import { listeningHandle, untilQueueIsEmpty } from './graceful-stop.js';

const CLIENTS = 'test/support/process/reconnecting-clients.mjs';

it('a process that is slower than its clients reconnect stops listening without resetting them', async () => {
  const server = createServer((_request, response) => {
    for (const startedAt = performance.now(); performance.now() - startedAt < 2;);
    setTimeout(() => response.end(), 5);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const clients = promisify(execFile)(process.execPath, [CLIENTS, String(port), '32']);
  await once(server, 'request');
  await untilQueueIsEmpty(listeningHandle(server), (onConnection) => server.on('connection', onConnection));
  NetServer.prototype.close.call(server);
  const codes = JSON.parse((await clients).stdout) as string[];
  expect(new Set([...codes, 'ECONNRESET'])).toEqual(new Set(['ECONNREFUSED', 'ECONNRESET']));
  // Those that arrived in the moment between the last look at the queue and the end of it.
  expect(codes.filter((code) => code === 'ECONNRESET').length).toBeLessThan(5);
});
