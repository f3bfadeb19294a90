import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { openBrowser } from '../../support/browser/browser.js';
import { CHROMIUM } from '../../support/browser/chromium.js';
import { exchange } from '../../support/http/raw-socket.js';
import { httpRequest } from '../../support/http/request.js';
import { aProfile } from '../../support/records/builders.js';
import { describeService, TestService } from '../../support/service/test-service.js';
import { exportedRecords } from '../../support/service/usage.js';

const ORIGIN = 'https://app.example.com';
const OTHER = 'https://other.example';
const PROFILES = '/platforms/live_platform/profiles';

/** Headers with which a browser asks before it sends a request with a key. */
const preflight = (origin: string) => ({
  origin,
  'access-control-request-method': 'GET',
  'access-control-request-headers': 'x-api-key',
});

/** Headers of the answers that pages need. */
const EXPOSED = [
  'X-Request-Id',
  'X-Quota-Units',
  'X-Credits',
  'X-RateLimit-minute-limit',
  'X-RateLimit-minute-remaining',
  'X-RateLimit-minute-reset',
  'Retry-After',
  'Link',
  'ETag',
];

describeService(
  'CORS_ORIGINS',
  (service) => {
    it('lets a listed origin read answers, with the headers about cost, limit and paging', async () => {
      await service().load('profiles', aProfile(), aProfile());
      const { status, headers } = await service().get(`${PROFILES}?limit=1`, { origin: ORIGIN });
      expect([status, headers['access-control-allow-origin']]).toEqual([200, ORIGIN]);
      expect(String(headers['access-control-expose-headers']).split(',')).toEqual(expect.arrayContaining(EXPOSED));
      expect(headers).not.toHaveProperty('access-control-allow-credentials');
    });

    it.each([
      ['a missing key', '/usage', { 'x-api-key': '' }, 401],
      ['an invalid key', '/usage', { 'x-api-key': 'wrong' }, 403],
      ['an unknown record', `${PROFILES}/none`, {}, 404],
      ['a wrong parameter', `${PROFILES}?page=1`, {}, 400],
      ['an unknown path', '/nothing', {}, 404],
      ['a path that cannot be decoded', '/%', {}, 400],
    ])('lets it read errors: %s', async (_, path, more, status) => {
      const answer = await service().get(path, { origin: ORIGIN, ...more });
      expect([answer.status, answer.headers['access-control-allow-origin']]).toEqual([status, ORIGIN]);
      expect(answer.headers['access-control-expose-headers']).toContain('X-Request-Id');
    });

    it.each([
      ['malformed HTTP', 'bad header', 400],
      ['headers that are too large', `X: ${'x'.repeat(20_000)}`, 431],
    ])('lets it read errors that the socket answers: %s', async (_, header, status) => {
      const answerTo = async (origin: string) => {
        const bytes = `GET /usage HTTP/1.1\r\nHost: test\r\nOrigin: ${origin}\r\n${header}\r\n\r\n`;
        const [answer] = (await exchange(service().origin, bytes)).answers;
        return { status: answer?.status, headers: answer?.headers };
      };
      expect(await answerTo(ORIGIN)).toMatchObject({
        status,
        headers: {
          'access-control-allow-origin': ORIGIN,
          'access-control-expose-headers': expect.stringContaining('X-Request-Id'),
          vary: 'Origin',
        },
      });
      expect((await answerTo(OTHER)).headers).not.toHaveProperty('access-control-allow-origin');
    });

    it.each([
      ['another origin', { origin: OTHER }],
      ['no origin', {}],
    ])('allows nothing to %s', async (_, headers) => {
      const answer = await service().get('/usage', headers);
      expect([answer.status, answer.headers['access-control-allow-origin']]).toEqual([200, undefined]);
    });

    it.each(['/usage', `${PROFILES}/none`, '/llms.txt', '/openapi.json'])(
      'states in Vary that the answer depends on the origin, beside the rest: %s',
      async (path) => {
        const before = (await unset.get(path)).headers.vary?.split(', ') ?? [];
        for (const origin of [ORIGIN, OTHER]) {
          const { headers } = await service().get(path, { origin });
          expect(headers.vary?.split(', ').toSorted()).toEqual([...before, 'Origin'].toSorted());
        }
      },
    );

    it('keeps both in Vary when the answer is compressed', async () => {
      const { headers } = await service().get('/openapi.json', { origin: ORIGIN, 'accept-encoding': 'gzip' });
      expect(headers['content-encoding']).toBe('gzip');
      expect(headers.vary).toMatch(/Origin/);
      expect(headers.vary).toMatch(/Accept-Encoding/);
    });

    it('answers a preflight without a key, for hours, and records nothing', async () => {
      const { status, headers, text } = await httpRequest(service().origin, `${PROFILES}/1`, {
        method: 'OPTIONS',
        headers: preflight(ORIGIN),
      });
      expect([status, text]).toEqual([204, '']);
      expect(headers).toMatchObject({
        'access-control-allow-origin': ORIGIN,
        'access-control-allow-methods': 'GET,HEAD,POST',
        'access-control-allow-headers': 'x-api-key',
        'access-control-max-age': '7200',
        'x-request-id': expect.stringMatching(/^[\da-f-]{36}$/),
      });
      expect(headers.vary).toContain('Origin');
      expect((await exportedRecords(service())).filter((record) => record.status === 204)).toEqual([]);
    });

    it('allows nothing to the preflight of another origin', async () => {
      const { headers } = await httpRequest(service().origin, '/usage', {
        method: 'OPTIONS',
        headers: preflight(OTHER),
      });
      expect(headers).not.toHaveProperty('access-control-allow-origin');
    });

    let unset: TestService;
    beforeAll(async () => {
      unset = await service().startSecond();
    });
    afterAll(() => unset.stop());

    it('changes nothing when it is empty: a preflight is a request without a key', async () => {
      const { status, headers, text } = await httpRequest(unset.origin, '/usage', {
        method: 'OPTIONS',
        headers: preflight(ORIGIN),
      });
      expect(status).toBe(401);
      expect(JSON.parse(text)).toMatchObject({
        error: {
          code: 'missing_api_key',
          hint: 'Web pages of this origin may not call the service. Its operator allows origins with CORS_ORIGINS.',
        },
      });
      const answer = await unset.get('/usage', { origin: ORIGIN });
      for (const name of [...Object.keys(headers), ...Object.keys(answer.headers)])
        expect(name).not.toMatch(/^access-/);
      expect(answer.headers.vary).toBe('Accept-Encoding, x-api-key');
    });
  },
  { CORS_ORIGINS: `https://first.example, ${ORIGIN}` },
);

describeService(
  'CORS_ORIGINS=*',
  (service) => {
    it('lets every origin read answers, which do not depend on it', async () => {
      for (const origin of [ORIGIN, OTHER]) {
        const { headers } = await service().get('/usage', { origin });
        expect([headers['access-control-allow-origin'], headers.vary]).toEqual(['*', 'Accept-Encoding, x-api-key']);
      }
    });

    it('does not let pages call /mcp', async () => {
      const { status, body } = await service().post('/mcp', {}, { origin: ORIGIN });
      expect([status, body.error.data.code]).toEqual([403, 'web_page_rejected']);
    });
  },
  { CORS_ORIGINS: '*' },
);

if (CHROMIUM === null) {
  it('CORS_ORIGINS was not tried in a browser: this machine has no Chromium', () => {
    expect(CHROMIUM).toBeNull();
  });
} else {
  // CORS does not depend on the database.
  describe('a page of another origin, in a browser', () => {
    let pages: Server;
    let service: TestService;
    let closed: TestService;
    let browser: Browser;
    let page: Page;
    beforeAll(async () => {
      pages = createServer((_, response) => response.setHeader('Content-Type', 'text/html').end('<title>app</title>'));
      await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve));
      const origin = `http://127.0.0.1:${(pages.address() as AddressInfo).port}`;
      service = await TestService.start('sqlite', { CORS_ORIGINS: origin });
      closed = await service.startSecond({ CORS_ORIGINS: 'https://first.example' });
      browser = await openBrowser();
      page = await browser.newPage();
      await page.goto(origin);
    });
    afterAll(async () => {
      await browser.close();
      await closed.stop();
      await service.stop();
      pages.close();
    });

    /** Sends a request from the page. @returns status, code and some headers, or the name of the exception */
    const fetchFrom = (address: string, key: string): Promise<unknown> =>
      page.evaluate(
        `fetch(${JSON.stringify(address)}, { headers: { 'x-api-key': ${JSON.stringify(key)} } }).then(
          async (response) => [
            response.status,
            (await response.json()).error?.code ?? null,
            response.headers.get('x-quota-units'),
            response.headers.get('x-ratelimit-minute-remaining') !== null,
          ],
          (error) => error.name,
        )`,
      );

    it('reads answers, errors and their headers with a key', async () => {
      expect(await fetchFrom(`${service.origin}/usage`, service.key)).toEqual([200, null, '0', true]);
      expect(await fetchFrom(`${service.origin}${PROFILES}/none`, service.key)).toEqual([
        404,
        'profile_not_found',
        '1',
        true,
      ]);
      expect(await fetchFrom(`${service.origin}/usage`, 'wrong')).toEqual([403, 'invalid_api_key', null, false]);
    });

    it('reads nothing if its origin is not listed', async () => {
      expect(await fetchFrom(`${closed.origin}/usage`, closed.key)).toBe('TypeError');
    });
  });
}
