import { describe, expect, it } from '@jest/globals';
import { PRICES } from '../../../src/receipts/prices.js';
import { PLATFORMS } from '../../../src/model/platforms.js';
import { Description } from '../../support/openapi/operations.js';
import { describeService } from '../../support/service/test-service.js';

const NO_KEY = { 'x-api-key': '' };
const FILES = [
  '/',
  '/guide',
  '/status',
  ...['page.css', 'content.css', 'code.css', 'landing.css', 'account.css', 'guide.css', 'status.css'].map(
    (name) => `/${name}`,
  ),
  ...['key.js', 'examples.js', 'landing.js', 'account.js', 'usage-chart.js', 'guide.js', 'status.js'].map(
    (name) => `/${name}`,
  ),
  ...['icon.svg', 'sample-creator.svg', 'sample-creator.css'].map((name) => `/${name}`),
];

describeService('the page at /', (service) => {
  it('is HTML that needs no key, costs nothing and is not recorded', async () => {
    const { key } = await service().newKey();
    const remaining = async () =>
      Number((await service().get('/usage', { 'x-api-key': key })).headers['x-ratelimit-minute-remaining']);
    const before = await remaining();
    for (const headers of [NO_KEY, { 'x-api-key': key }]) {
      const answer = await service().get('/', headers);
      expect([answer.status, answer.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
      expect(answer.headers).not.toHaveProperty('x-quota-units');
      expect(answer.headers).not.toHaveProperty('x-ratelimit-minute-limit');
    }
    expect(await remaining()).toBe(before - 1);
  });

  it.each(FILES)('%s loads nothing from other origins, and is revalidated by its ETag', async (path) => {
    const { status, headers, text } = await service().get(path, NO_KEY);
    expect(status).toBe(200);
    expect(text.match(/(?:src|href|url\()=?["']?(?:https?:)?\/\//g)).toBeNull();
    expect(headers['content-security-policy']).toMatch(/^default-src 'none';script-src 'self';style-src 'self';/);
    expect(headers['content-security-policy']).not.toContain('unsafe');
    expect(headers['cache-control']).toBe('no-cache');
    const again = await service().get(path, { ...NO_KEY, 'if-none-match': String(headers.etag) });
    expect([again.status, again.text]).toEqual([304, '']);
  });

  it.each(FILES)('HEAD %s is answered like GET without the body', async (path) => {
    const [get, head] = [await service().get(path, NO_KEY), await service().request(path, { method: 'HEAD' })];
    expect([head.status, head.text, head.headers['content-length']]).toEqual([200, '', String(get.bytes.length)]);
    expect(head.headers.etag).toBe(get.headers.etag);
  });

  it.each(['/', '/docs', '/docs/swagger-ui.css', '/openapi.json', '/postman.json', '/icon.svg', '/llms.txt'])(
    'has a request ID like every answer, as every other page: %s',
    async (path) => {
      const { status, headers } = await service().request(path);
      expect([status, headers['x-request-id']]).toEqual([200, expect.stringMatching(/^[\da-f-]{36}$/)]);
    },
  );

  it('rejects other methods and other spellings of the path', async () => {
    const { status, headers } = await service().request('/', { method: 'POST' });
    expect([status, headers.allow]).toEqual([405, 'GET, HEAD']);
    for (const path of ['//', '/index.html', '/landing.html', '/guide.html', '/generated/guide.html']) {
      expect([path, (await service().get(path)).status]).toEqual([path, 404]);
      expect((await service().get(path, NO_KEY)).status).toBe(401);
    }
  });

  it('names every platform', async () => {
    const { text } = await service().get('/', NO_KEY);
    for (const platform of PLATFORMS) expect(text).toContain(`<li><strong>${platform}</strong>`);
  });

  describe('the price table', () => {
    it('has every endpoint that needs a key, with its price, and a link to its reference', async () => {
      const { text } = await service().get('/', NO_KEY);
      const rows = [...text.matchAll(/<tr><td>(.*?)<\/tr>/g)].map(([, row = '']) => row);
      const { operations } = await Description.of(service());
      const priced = operations.filter(({ needsKey }) => needsKey);
      expect(rows).toHaveLength(priced.length);
      for (const { operationId, method, path } of priced) {
        const row = rows.find((candidate) => candidate.includes(`/${operationId}"`)) ?? '';
        expect(row.replaceAll('<wbr>', '')).toContain(`${method} ${path}<`);
        const { units, credits } = PRICES[operationId as keyof typeof PRICES];
        const amounts = [...row.matchAll(/<td class="number">(\d*)/g)].map(([, amount]) => Number(amount));
        expect([operationId, ...amounts]).toEqual([operationId, units.amount, credits.amount]);
      }
    });
  });
});
