import { describe, expect, it } from '@jest/globals';
import { connectTo, exchange, parseAnswers, type RawAnswer } from '../../support/http/raw-socket.js';
import { describeService } from '../../support/service/test-service.js';
import { until } from '../../support/until.js';
import { recordOf } from '../../support/service/usage.js';

const PATH = '/platforms/live_platform/profiles/none';
const LIST = '/platforms/live_platform/profiles';
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const twice = (header: string): string[] => [header, header];

/** Returns status and message of an error in a valid envelope. */
function errorIn(answer: RawAnswer | undefined): readonly [status: number, message: string] | RawAnswer | undefined {
  const error = answer?.body?.error ?? {};
  const { status, message, code } = error;
  const requestId = answer?.headers['x-request-id'];
  const isRight =
    UUID.test(requestId ?? '') &&
    answer?.headers['content-type'] === 'application/json; charset=utf-8' &&
    JSON.stringify(Object.keys(error).slice(0, 3)) === '["status","message","code"]' &&
    error.documentation_url === `/docs/errors#${code}` &&
    status === answer.status &&
    answer.text === JSON.stringify({ error, meta: { request_id: requestId } });
  return isRight ? [status, message] : answer;
}

/** Ignores `102 Processing`, with which the service probes whether the client still reads. */
const isFinal = ({ status }: RawAnswer): boolean => status >= 200;

describeService('connections', (service) => {
  const request = (line: string, headers: readonly string[] = ['Host: test'], body = '') =>
    [line, ...headers, `x-api-key: ${service().key}`, '', body].join('\r\n');
  const get = (path = PATH) => request(`GET ${path} HTTP/1.1`);

  describe('half-closed by the client', () => {
    it('a request is answered before the connection is closed', async () => {
      const { answers, closedAfterMs } = await exchange(service().origin, get(), { halfClose: true });
      expect(answers.filter(isFinal).map(({ status }) => status)).toEqual([404]);
      expect(closedAfterMs).not.toBeNull();
    });

    it('pipelined requests are all answered, in their order', async () => {
      const { answers, closedAfterMs } = await exchange(service().origin, get() + get('/nothing') + get(LIST), {
        halfClose: true,
      });
      expect(answers.filter(isFinal).map(({ body, status }) => body?.error?.message ?? status)).toEqual([
        'Profile not found',
        'Not found',
        200,
      ]);
      expect(closedAfterMs).not.toBeNull();
    });

    it('a request with a body is answered, also if its client ended before the body is parsed', async () => {
      const body = JSON.stringify({ profile_ids: ['none'] });
      const headers = ['Host: test', 'Content-Type: application/json', `Content-Length: ${body.length}`];
      const posts = request(`POST ${LIST} HTTP/1.1`, headers, body).repeat(2);
      const { answers } = await exchange(service().origin, posts, { halfClose: true });
      expect(answers.filter(isFinal).map((answer) => [answer.status, answer.body?.meta?.missing_ids])).toEqual([
        [200, ['none']],
        [200, ['none']],
      ]);
    });

    it('a connection without a request is closed', async () => {
      const { answers, closedAfterMs } = await exchange(service().origin, '', { halfClose: true });
      expect([answers, closedAfterMs]).toEqual([[], expect.any(Number)]);
    });

    it('an incomplete request is answered with an error', async () => {
      const { answers, closedAfterMs } = await exchange(service().origin, get().slice(0, 40), { halfClose: true });
      expect(errorIn(answers[0])).toEqual([400, 'Bad Request']);
      expect(closedAfterMs).not.toBeNull();
    });
  });

  describe('garbage behind requests', () => {
    it('the requests are answered, then the garbage with an error, and the connection is closed', async () => {
      const { answers, closedAfterMs } = await exchange(service().origin, `${get()}${get()}garbage\r\n\r\n`);
      expect(answers.map(({ status }) => status)).toEqual([404, 404, 400]);
      expect(errorIn(answers[2])).toEqual([400, 'Bad Request']);
      expect(closedAfterMs).not.toBeNull();
    });

    it('an answered request is recorded as answered', async () => {
      const { answers } = await exchange(service().origin, `${get()}\u0000\u0001`);
      expect(answers.map(({ status }) => status)).toEqual([404, 400]);
      const record = await recordOf(service(), answers[0]?.headers['x-request-id']);
      expect([record.status, record.quota_units]).toEqual([404, Number(answers[0]?.headers['x-quota-units'])]);
    });

    it('a body with broken framing gets one 400', async () => {
      const broken = request(
        `POST ${LIST} HTTP/1.1`,
        ['Host: test', 'Content-Type: application/json', 'Transfer-Encoding: chunked'],
        'no chunk\r\n',
      );
      for (const before of ['', get()]) {
        const { answers, closedAfterMs } = await exchange(service().origin, before + broken);
        expect(answers.map(({ status }) => status)).toEqual(before === '' ? [400] : [404, 400]);
        expect(errorIn(answers.at(-1))).toEqual([400, 'Bad Request']);
        expect(closedAfterMs).not.toBeNull();
      }
    });
  });

  describe('requests that no endpoint accepts', () => {
    it.each([
      ['GET http://[ HTTP/1.1', ['Host: test'], 400, 'Request target is malformed'],
      ['GET http://a:99999999/x HTTP/1.1', ['Host: test'], 400, 'Request target is malformed'],
      ['GET ftp://a/x HTTP/1.1', ['Host: test'], 400, 'Request target is malformed'],
      [`GET ${PATH} HTTP/1.1`, ['Host: test', 'Expect: foo'], 417, 'Expectation failed'],
      [`GET ${PATH} HTTP/1.1`, ['X-Host: test'], 400, 'Host header is required'],
      [`GET ${PATH} HTTP/1.1`, ['Host: a', 'Host: b'], 400, 'Header given more than once: host'],
      [`GET ${PATH} HTTP/1.0`, ['Host: a', 'Host: b'], 400, 'Header given more than once: host'],
      [
        `GET ${PATH} HTTP/1.1`,
        ['Host: a', ...twice('Content-Type: a/b')],
        400,
        'Header given more than once: content-type',
      ],
      [
        `GET ${PATH} HTTP/1.1`,
        ['Host: a', ...twice('Authorization: a')],
        400,
        'Header given more than once: authorization',
      ],
      ['CONNECT example.com:443 HTTP/1.1', ['Host: test'], 405, 'Method not allowed'],
      ['CONNECT [ HTTP/1.1', ['Host: test'], 405, 'Method not allowed'],
    ])('%s (%j) is answered %i in the envelope: %s', async (line, headers, status, message) => {
      const { answers } = await exchange(service().origin, request(line, headers), { answers: 1 });
      expect(errorIn(answers[0])).toEqual([status, message]);
      expect(answers[0]?.headers).toMatchObject({ 'x-quota-units': '0', 'x-credits': '0' });
    });

    it('a second Host is found behind more headers than Node reads by default', async () => {
      const headers = ['Host: a', ...Array<string>(1000).fill('a:'), 'hOST: a'];
      const { answers } = await exchange(service().origin, request(`GET ${PATH} HTTP/1.1`, headers), { answers: 1 });
      expect(errorIn(answers[0])).toEqual([400, 'Header given more than once: host']);
    });

    it('count as requests, are recorded, and are 429 when the minute is used up', async () => {
      const { id, key } = await service().newKey(4);
      const odd = [
        ['GET http://[ HTTP/1.1', 'Host: a'],
        [`GET ${PATH} HTTP/1.1`, 'Host: a', 'Expect: foo'],
        [`GET ${PATH} HTTP/1.1`],
        ['CONNECT example.com:443 HTTP/1.1', 'Host: a'],
      ].map((lines) => [...lines, `x-api-key: ${key}`, '', ''].join('\r\n'));
      const firsts: RawAnswer[] = [];
      for (const bytes of [...odd, ...odd]) {
        const { answers } = await exchange(service().origin, bytes, { answers: 1 });
        firsts.push(...answers);
      }
      expect(firsts.map(({ status }) => status)).toEqual([400, 417, 400, 405, 429, 429, 429, 429]);
      const record = await recordOf(service(), firsts[3]?.headers['x-request-id']);
      expect([record.key_id, record.status, record.operation]).toEqual([id, 405, 'unknown']);
    });

    it('need a key like all others', async () => {
      for (const lines of ['GET http://[ HTTP/1.1', 'CONNECT a:1 HTTP/1.1', 'GET / HTTP/1.1\r\nExpect: foo']) {
        const { answers } = await exchange(service().origin, `${lines}\r\nHost: a\r\n\r\n`, { answers: 1 });
        expect(errorIn(answers[0])).toEqual([401, 'API key is required']);
      }
    });

    it('an absolute URL is routed by its path', async () => {
      const { answers } = await exchange(service().origin, get(`http://elsewhere${PATH}`), { answers: 1 });
      expect(errorIn(answers[0])).toEqual([404, 'Profile not found']);
      const root = await exchange(service().origin, get('http://elsewhere?a=1'), { answers: 1 });
      expect([root.answers[0]?.status, root.answers[0]?.headers['content-type']]).toEqual([
        200,
        'text/html; charset=utf-8',
      ]);
    });

    it('CONNECT after a request waits for its answer, and closes the connection', async () => {
      const connect = request('CONNECT example.com:443 HTTP/1.1');
      const { answers, closedAfterMs } = await exchange(service().origin, get() + connect + get());
      expect(answers.map(({ status }) => status)).toEqual([404, 405]);
      expect(closedAfterMs).not.toBeNull();
    });
  });

  describe('bodies that are too large', () => {
    const post = (...headers: string[]) =>
      request(`POST ${LIST} HTTP/1.1`, ['Host: test', 'Content-Type: application/json', ...headers]);
    const TOO_LARGE = 'Request body must not exceed 256 KiB';

    it('413 at once when the Content-Length exceeds the limit, and the connection is closed', async () => {
      const { answers, closedAfterMs } = await exchange(service().origin, post('Content-Length: 10000000000'));
      expect(errorIn(answers[0])).toEqual([413, TOO_LARGE]);
      expect(answers[0]?.headers.connection).toBe('close');
      expect(closedAfterMs).toBeLessThan(18_000);
    });

    it('413 as soon as the chunks exceed the limit, readable by a client that still sends', async () => {
      const chunk = `10000\r\n${' '.repeat(0x10000)}\r\n`;
      const socket = connectTo(service().origin);
      let received = Buffer.alloc(0);
      let isOver = false;
      socket.on('data', (bytes) => (received = Buffer.concat([received, bytes])));
      socket.on('end', () => (isOver = true));
      socket.write(post('Transfer-Encoding: chunked') + chunk.repeat(5));
      const sending = setInterval(() => socket.write(chunk), 10);
      await until('the connection is closed', () => isOver);
      clearInterval(sending);
      socket.destroy();
      expect(errorIn(parseAnswers(received)[0])).toEqual([413, TOO_LARGE]);
    });

    it('413 without `100 Continue` when the Content-Length exceeds the limit', async () => {
      const { answers } = await exchange(service().origin, post('Content-Length: 300000', 'Expect: 100-continue'));
      expect(answers.map(({ status }) => status)).toEqual([413]);
    });

    it('`100 Continue` is sent only for an accepted body', async () => {
      const body = JSON.stringify({ profile_ids: ['none'] });
      const expecting = post(`Content-Length: ${body.length}`, 'Expect: 100-continue');
      const { answers } = await exchange(service().origin, expecting + body, { answers: 2 });
      expect(answers.map(({ status }) => status)).toEqual([100, 200]);
      const refused = await exchange(service().origin, expecting.replace(/x-api-key.*\r\n/, ''));
      expect(refused.answers.map(({ status }) => status)).toEqual([401]);
      expect(refused.closedAfterMs).not.toBeNull();
    });

    it('a large body that is rejected for another reason is not awaited', async () => {
      const { answers, closedAfterMs } = await exchange(
        service().origin,
        post('Content-Length: 10000000000').replace(/x-api-key.*\r\n/, ''),
      );
      expect(errorIn(answers[0])).toEqual([401, 'API key is required']);
      expect(closedAfterMs).toBeLessThan(18_000);
    });
  });
});
