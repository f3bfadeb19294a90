import { beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Description } from '../../support/openapi/operations.js';
import { exchange } from '../../support/http/raw-socket.js';
import { describeService } from '../../support/service/test-service.js';

/** Number of connections; drills send fifty times as many. A failure prints its seed. */
const SCALE = process.env.FAULTS === undefined ? 1 : 50;
const EXCHANGES = 300 * SCALE;
const TIMEOUT_MS = 300_000 * SCALE;

/** Time within which a client that has ended its side must have all answers. */
const WITHIN_MS = 30_000;

const latin1 = fc.string({ unit: fc.nat(255).map((code) => String.fromCharCode(code)), maxLength: 30 });
const method = fc.oneof(
  fc.constantFrom('GET', 'POST', 'HEAD', 'PUT', 'OPTIONS', 'CONNECT', 'TRACE', 'PROPFIND', 'PRI', 'get'),
  latin1,
);
const target = fc.oneof(
  fc.constantFrom(
    '/usage',
    '/docs/',
    '/health',
    '/%',
    '*',
    '//',
    'http://[',
    'http://a/usage',
    'a:1',
    '?',
    '/#',
    '/\\',
  ),
  fc.webUrl(),
  latin1.map((text) => `/${text}`),
);
const header = fc.oneof(
  fc.constantFrom(
    'Expect: 100-continue',
    'Expect: foo',
    'Connection: close',
    'Connection: upgrade\r\nUpgrade: websocket',
    'Transfer-Encoding: chunked',
    'Transfer-Encoding: gzip',
    'Content-Length: 3',
    'Content-Length: -1',
    'Content-Length: 99999999999',
    'Content-Type: application/json',
    'Accept-Encoding: gzip, br',
    'If-None-Match: *',
    'Host: a',
    'Host:',
  ),
  fc.tuple(latin1, latin1).map(([name, value]) => `${name}: ${value}`),
);

describeService('random bytes', (service) => {
  let description: Description;
  beforeAll(async () => {
    description = await Description.of(service());
  });

  const aRequest = fc
    .record({
      method,
      target,
      version: fc.constantFrom('1.1', '1.1', '1.0', '2.0', '0.9', 'x'),
      headers: fc.array(header, { maxLength: 4 }),
      hasKey: fc.boolean(),
      body: latin1,
    })
    .map((given) => {
      const key = given.hasKey ? [`x-api-key: ${service().key}`] : [];
      const first = `${given.method} ${given.target} HTTP/${given.version}`;
      return [first, 'Host: test', ...key, ...given.headers, '', given.body].join('\r\n');
    });

  it(
    `${EXCHANGES} connections get no 5xx, get errors in the envelope, and are closed`,
    async () => {
      const bytes = fc.array(fc.oneof(aRequest, latin1), { minLength: 1, maxLength: 3 }).map((all) => all.join(''));
      const property = fc.asyncProperty(bytes, async (sent) => {
        const options = { halfClose: true, withinMs: WITHIN_MS };
        const { answers, closedAfterMs } = await exchange(service().origin, Buffer.from(sent, 'latin1'), options);
        expect(closedAfterMs).not.toBeNull();
        const wrong = answers.filter(
          ({ status, body, text }) =>
            status >= 500 || (status >= 400 && text !== '' && description.problemsOfError(body).length > 0),
        );
        expect(wrong).toEqual([]);
      });
      await fc.assert(property, { numRuns: EXCHANGES });
      expect((await service().get('/usage')).status).toBe(200);
    },
    TIMEOUT_MS,
  );
});
