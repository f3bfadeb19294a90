import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { sampleRequests } from '../../support/openapi/sample-requests.js';
import { sendOperation, type Sendable } from '../../support/openapi/operations.js';
import { loadSampleData } from '../../support/records/sample-data.js';
import type { Answer } from '../../support/http/request.js';
import { describeService } from '../../support/service/test-service.js';

/** Returns what two answers to the same request must have in common. */
function comparable({ status, headers, text }: Answer) {
  const { date: _date, 'x-request-id': id, 'x-test-mode': _mode, ...others } = headers;
  return { status, headers: others, text: text.replaceAll(String(id), 'its request ID') };
}

/** The same without the times at which the stores were loaded, which items of a feed and their tag tell. */
function withoutLoading(answer: Answer) {
  const { status, headers, text } = comparable(answer);
  const { etag: _etag, ...others } = headers;
  return { status, headers: others, text: text.replaceAll(/"changed_at":"[^"]+"/g, '') };
}

const isFeed = ({ path }: Sendable): boolean => /\/changes(\?|$)/.test(path);

describeService('a test key gets what a live key gets for the sample data', (service) => {
  beforeAll(async () => {
    await loadSampleData(service());
    service().clock.stopAt(Date.UTC(2027, 0, 1));
  });

  /** Sends a request with a new live key and with a new test key. */
  async function sendBoth(request: Sendable, headers: Record<string, string> = {}): Promise<readonly [Answer, Answer]> {
    const [live, test] = [await service().newKey(5), await service().newTestKey(5)];
    return [
      await sendOperation(service(), request, { ...headers, 'x-api-key': live.key }),
      await sendOperation(service(), request, { ...headers, 'x-api-key': test.key }),
    ];
  }

  /** Sends a request with both keys, and expects the same answer. @returns that of the test key */
  async function sendSame(request: Sendable, headers?: Record<string, string>): Promise<Answer> {
    const [live, test] = await sendBoth(request, headers);
    const reduce = isFeed(request) ? withoutLoading : comparable;
    expect(reduce(test)).toEqual(reduce(live));
    expect([live.headers['x-test-mode'], test.headers['x-test-mode']]).toEqual([undefined, 'true']);
    return test;
  }

  describe.each(sampleRequests().map((request) => [request.operationId, request] as const))('%s', (_id, request) => {
    const address = request.path.split('?', 1)[0] ?? '';
    const plain = { ...request, path: address };

    it('200: the same bytes, headers and cost', async () => {
      expect((await sendSame(request)).status).toBe(200);
    });

    it('400: the same error', async () => {
      expect((await sendSame({ ...plain, path: `${address}?no_such_parameter=1` })).status).toBe(400);
    });

    it('405: the same error', async () => {
      expect((await sendSame({ ...plain, method: 'DELETE' })).status).toBe(405);
    });

    if (request.method === 'GET') {
      it('304: the tag of its answer', async () => {
        for (const answer of await sendBoth(request)) {
          const repeated = await sendBoth(request, { 'if-none-match': String(answer.headers.etag) });
          const unchanged = repeated.filter(({ status }) => status === 304);
          // Stores that were loaded at two times have two tags of a feed.
          expect(unchanged).toHaveLength(isFeed(request) ? 1 : 2);
        }
        expect((await sendSame(request, { 'if-none-match': '*' })).status).toBe(304);
        expect((await sendSame({ ...request, method: 'HEAD' })).status).toBe(200);
      });
    }
  });

  it.each([
    [404, '/platforms/live_platform/profiles/unknown'],
    [404, '/platforms/live_platform/content/unknown'],
    [404, '/platforms/gamedb/games/unknown'],
    [404, '/no/such/path'],
    [400, '/platforms/radio/profiles/10001'],
    [400, '/platforms/live_platform/profiles?cursor=x'],
    [400, '/platforms/live_platform/profiles/%ZZ'],
  ])('%s: the same error at %s', async (status, path) => {
    expect((await sendSame({ method: 'GET', path })).status).toBe(status);
  });

  it('compresses as for a live key', async () => {
    const request = { method: 'GET', path: '/platforms/live_platform/content?limit=20' };
    const test = await sendSame(request, { 'accept-encoding': 'gzip' });
    expect(test.headers['content-encoding']).toBe('gzip');
    expect(JSON.parse(gunzipSync(test.bytes).toString()).payload).toHaveLength(20);
  });

  it('enforces the minute limit of the key', async () => {
    const { key } = await service().newTestKey(1);
    const path = '/platforms/live_platform/profiles/10001';
    const first = await service().get(path, { 'x-api-key': key });
    const second = await service().get(path, { 'x-api-key': key });
    expect([first.status, second.status]).toEqual([200, 429]);
    expect(second.headers).toMatchObject({ 'x-test-mode': 'true', 'retry-after': '60', 'x-quota-units': '0' });
  });

  it('serves the pages that need no key', async () => {
    const { key } = await service().newTestKey(5);
    for (const path of ['/', '/docs', '/openapi.json', '/llms.txt', '/health', '/health/live', '/postman.json']) {
      const [live, test] = [await service().get(path), await service().get(path, { 'x-api-key': key })];
      expect([path, test.status]).toEqual([path, live.status]);
      expect(test.headers['content-type']).toBe(live.headers['content-type']);
    }
  });

  it('rejects a revoked test key, and one that is made up, without the header', async () => {
    const { id, key } = await service().newTestKey(5);
    await service().keys.revoke(id);
    for (const wrong of [key, `cdk_test_${'0'.repeat(52)}`, 'cdk_test_', `${key}0`]) {
      const answer = await service().get('/platforms/live_platform/profiles/10001', { 'x-api-key': wrong });
      expect([answer.status, answer.headers['x-test-mode']]).toEqual([403, undefined]);
    }
  });
});
