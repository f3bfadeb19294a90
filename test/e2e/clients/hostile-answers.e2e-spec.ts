import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { InstalledClient, LANGUAGES, type ClientDriver } from '../../support/clients/installed-client.js';

const PAGE = { payload: [], paging: { limit: 50, next_cursor: 'again' }, meta: {} };

/** What a broken proxy, or a service that is none, may answer. */
const ANSWERS: Readonly<Record<string, (response: ServerResponse) => void>> = {
  'a damaged compression': (response) => response.setHeader('content-encoding', 'gzip').end('no gzip'),
  'a cut compression': (response) =>
    response.setHeader('content-encoding', 'gzip').end(gzipSync(JSON.stringify(PAGE)).subarray(0, 20)),
  'no meta': (response) => response.end('{"payload":[]}'),
  'no cursor': (response) => response.end('{"payload":[],"meta":{},"paging":{}}'),
  'no paging': (response) => response.end('{"payload":[],"meta":{},"paging":null}'),
  'deep nesting': (response) => response.end('['.repeat(200_000)),
  'no number of units': (response) => response.setHeader('x-quota-units', 'nan').end('{}'),
  'no time of the limit': (response) => response.setHeader('x-ratelimit-minute-reset', '9'.repeat(40)).end('{}'),
};

describe.each(LANGUAGES)('the client for %s', (language) => {
  let client: InstalledClient;
  let server: Server;
  let driver: ClientDriver;
  let requests = 0;
  beforeAll(async () => {
    client = await InstalledClient.install(language);
    server = createServer((request, response) => {
      requests += 1;
      const name = decodeURIComponent(request.url?.split('/')[1] ?? '');
      const answer = ANSWERS[name];
      if (name === 'loop') response.end(JSON.stringify(PAGE));
      else if (name === 'negative') response.writeHead(503, { 'retry-after': '-5' }).end();
      else answer?.(response);
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
  });
  afterAll(async () => {
    server.close();
    server.closeAllConnections();
    client.remove();
    await once(server, 'close');
  });

  /** Starts the client at an address that the server answers by name. */
  const at = (name: string): ClientDriver => {
    const { port } = server.address() as AddressInfo;
    const baseUrl = `http://127.0.0.1:${port}/${encodeURIComponent(name)}`;
    return (driver = client.start({ baseUrl, apiKey: 'cdk_none', maxRetries: 1 }));
  };

  it.each(Object.keys(ANSWERS))('reports an answer with %s as one of its errors', async (name) => {
    const { error } = await at(name).call({ method: 'profiles.list', parameters: { platform: 'live_platform' } });
    await driver.stop();
    expect(['ApiError', 'ConnectionFailedError']).toContain(error.type);
  });

  it('stops when a page has the cursor of the page before, because every page is charged', async () => {
    const { error } = await at('loop').call({
      method: 'profiles.listPages',
      parameters: { platform: 'live_platform' },
    });
    await driver.stop();
    expect(error).toEqual({
      type: 'ConnectionFailedError',
      message: expect.stringContaining('the service returned the same cursor again'),
    });
  });

  it('takes a negative Retry-After for none, and waits before it tries again', async () => {
    requests = 0;
    const startedAt = performance.now();
    const { error } = await at('negative').call({ method: 'usage.get' });
    await driver.stop();
    expect([error.status, requests]).toEqual([503, 2]);
    expect(performance.now() - startedAt).toBeGreaterThan(125);
  });
});
