import { describe, expect, it } from '@jest/globals';
import { exchange } from '../../support/http/raw-socket.js';
import { describeService } from '../../support/service/test-service.js';
import { exportedRecords, recordOf } from '../../support/service/usage.js';

const LIST = '/platforms/live_platform/profiles';
const BODY = '{"profile_ids":["none"]}';
const CHUNKS = `${BODY.length.toString(16)}\r\n${BODY}\r\n0\r\n\r\n`;

// A proxy that ignores Transfer-Encoding in HTTP/1.0 sees the request end earlier, and may treat its rest as another client's request.
describeService('request framing', (service) => {
  const post = (version: string, headers: readonly string[], body: string, key = service().key) =>
    [
      `POST ${LIST} HTTP/${version}`,
      'Host: test',
      ...(key === '' ? [] : [`x-api-key: ${key}`]),
      'Content-Type: application/json',
      ...headers,
      '',
      body,
    ].join('\r\n');
  const behind = () => `GET /usage HTTP/1.1\r\nHost: test\r\nx-api-key: ${service().key}\r\n\r\n`;
  const KEEP = 'Connection: keep-alive';

  describe('Transfer-Encoding in HTTP/1.0', () => {
    it.each([
      ['alone', [KEEP, 'Transfer-Encoding: chunked'], CHUNKS],
      ['that is closed anyway', ['Transfer-Encoding: chunked'], CHUNKS],
      ['with another encoding before', [KEEP, 'Transfer-Encoding: gzip, chunked'], CHUNKS],
      [
        'behind more headers than Node reads by default',
        [...Array<string>(1000).fill('a:'), KEEP, 'Transfer-Encoding: chunked'],
        CHUNKS,
      ],
      ['before its chunks have come', [KEEP, 'Transfer-Encoding: chunked'], '18\r\n{'],
    ])('%s: 400 in the envelope, nothing behind it is read, and the connection is closed', async (_, headers, body) => {
      const sent = post('1.0', headers, body) + (body === CHUNKS ? behind() : '');
      const { answers, closedAfterMs } = await exchange(service().origin, sent);
      expect(answers.map(({ status }) => status)).toEqual([400]);
      expect(answers[0]?.body).toEqual({
        error: expect.objectContaining({
          status: 400,
          message: 'Transfer-Encoding needs HTTP/1.1',
          code: 'malformed_request',
        }),
        meta: { request_id: answers[0]?.headers['x-request-id'] },
      });
      expect(answers[0]?.headers.connection).toBe('close');
      expect(closedAfterMs).toBeLessThan(18_000);
      expect(await recordOf(service(), answers[0]?.headers['x-request-id'])).toMatchObject({
        status: 400,
        operation: 'unknown',
        quota_units: 0,
      });
    });

    it('of a GET: the same', async () => {
      const sent = post('1.0', [KEEP, 'Transfer-Encoding: chunked'], CHUNKS).replace('POST', 'GET') + behind();
      const { answers, closedAfterMs } = await exchange(service().origin, sent);
      expect([answers.map(({ status }) => status), closedAfterMs !== null]).toEqual([[400], true]);
    });

    it('behind another request: that is answered first', async () => {
      const sent = behind() + post('1.0', [KEEP, 'Transfer-Encoding: chunked'], CHUNKS) + behind();
      const { answers, closedAfterMs } = await exchange(service().origin, sent);
      expect([answers.map(({ status }) => status), closedAfterMs !== null]).toEqual([[200, 400], true]);
    });

    it('without a key: 401, and the connection is closed', async () => {
      const sent = post('1.0', [KEEP, 'Transfer-Encoding: chunked'], CHUNKS, '') + behind();
      const { answers, closedAfterMs } = await exchange(service().origin, sent);
      expect([answers.map(({ status }) => status), closedAfterMs !== null]).toEqual([[401], true]);
    });
  });

  it('Transfer-Encoding other than chunked: 400 in the envelope, and the connection is closed', async () => {
    const sent = post('1.1', ['Transfer-Encoding: gzip, chunked'], CHUNKS) + behind();
    const { answers, closedAfterMs } = await exchange(service().origin, sent);
    expect(answers.map(({ status, body }) => [status, body.error.message])).toEqual([
      [400, 'Transfer-Encoding must be chunked'],
    ]);
    expect(closedAfterMs).not.toBeNull();
  });

  it.each([['1.1'], ['1.0']])(
    'a length and an encoding at once: 400, and the connection is closed (%s)',
    async (version) => {
      const both = [KEEP, `Content-Length: ${BODY.length}`, 'Transfer-Encoding: chunked'];
      const { answers, closedAfterMs } = await exchange(service().origin, post(version, both, CHUNKS) + behind());
      expect([answers.map(({ status }) => status), closedAfterMs !== null]).toEqual([[400], true]);
    },
  );

  describe('a body that is not needed', () => {
    const BAD_CHUNK = ['Transfer-Encoding: chunked', '', 'no chunk\r\n'];
    const CUT_OFF = ['Content-Length: 10', '', '{'];
    const pathOf = (kind: string) => (kind === 'page' ? `${LIST}?limit=50` : `${LIST}/none/${kind}`);

    it.each([
      ['page', 'profiles.list', BAD_CHUNK],
      ['analysis', 'analysis.get', BAD_CHUNK],
      ['audience', 'audience.get', BAD_CHUNK],
      ['analysis', 'analysis.get', CUT_OFF],
    ])('and is malformed: 400, recorded once as that, and free: %s, %s, %j', async (kind, operation, body) => {
      const { id, key } = await service().newKey();
      const head = [`GET ${pathOf(kind)} HTTP/1.1`, 'Host: test', `x-api-key: ${key}`];
      const { answers: all, closedAfterMs } = await exchange(service().origin, [...head, ...body].join('\r\n'), {
        halfClose: body === CUT_OFF,
      });
      const answers = all.filter(({ status }) => status !== 102);
      expect([answers.map(({ status }) => status), closedAfterMs !== null]).toEqual([[400], true]);
      expect(answers[0]?.body.error).toEqual(
        expect.objectContaining({ status: 400, message: 'Bad Request', code: 'malformed_request' }),
      );
      expect(answers[0]?.headers).toMatchObject({ connection: 'close', 'x-quota-units': '0', 'x-credits': '0' });
      const requestId = answers[0]?.headers['x-request-id'];
      const free = { status: 400, quota_units: 0, credits: 0, items_returned: 0 };
      expect(await recordOf(service(), requestId)).toMatchObject({ ...free, operation });
      const records = (await exportedRecords(service())).filter((row) => row.key_id === id);
      expect(records.map((row) => row.request_id)).toEqual([requestId]);
    });

    it('and turns out malformed at any moment: the record has the status and the cost of the only answer', async () => {
      const path = pathOf('analysis');
      const { id, key } = await service().newKey();
      const head = `GET ${path} HTTP/1.1\r\nHost: test\r\nx-api-key: ${key}\r\nTransfer-Encoding: chunked\r\n\r\n`;
      const answered: unknown[] = [];
      for (let delayMs = 0; delayMs < 20; delayMs += 1) {
        const { answers } = await exchange(service().origin, head, { later: { bytes: 'no chunk\r\n', delayMs } });
        expect(answers).toHaveLength(1);
        for (const { status, headers } of answers) {
          answered.push([headers['x-request-id'], status, Number(headers['x-quota-units'])]);
        }
      }
      const records = (await exportedRecords(service())).filter((row) => row.key_id === id);
      expect(records.map((row) => [row.request_id, row.status, row.quota_units])).toEqual(answered);
    });

    it('is needed, and is malformed: the same', async () => {
      const { id, key } = await service().newKey();
      const sent = post('1.1', ['Transfer-Encoding: chunked'], 'no chunk\r\n', key);
      const { answers } = await exchange(service().origin, sent);
      expect(answers.map(({ status }) => status)).toEqual([400]);
      const records = (await exportedRecords(service())).filter((row) => row.key_id === id);
      expect(records).toMatchObject([
        { request_id: answers[0]?.headers['x-request-id'], status: 400, operation: 'profiles.batch', quota_units: 0 },
      ]);
    });

    it('and is malformed, without a valid key: the key comes first', async () => {
      const head = [`GET ${pathOf('analysis')} HTTP/1.1`, 'Host: test', ...BAD_CHUNK].join('\r\n');
      const { answers, closedAfterMs } = await exchange(service().origin, head);
      expect([answers.map(({ status }) => status), closedAfterMs !== null]).toEqual([[401], true]);
    });
  });

  it('a length in HTTP/1.0 is one, and the connection stays open if the client asks for it', async () => {
    const sent = post('1.0', [KEEP, `Content-Length: ${BODY.length}`], BODY) + behind();
    const { answers } = await exchange(service().origin, sent, { answers: 2 });
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  });

  it('chunks in HTTP/1.1 are read, and the connection stays open', async () => {
    const sent = post('1.1', ['Transfer-Encoding: chunked'], CHUNKS) + behind();
    const { answers } = await exchange(service().origin, sent, { answers: 2 });
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  });
});
