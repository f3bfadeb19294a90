import { describe, expect, it } from '@jest/globals';
import { exchange } from '../../support/http/raw-socket.js';
import { describeService } from '../../support/service/test-service.js';
import { recordOf } from '../../support/service/usage.js';

const LIST = '/platforms/live_platform/profiles';
const BODY = '{"profile_ids":["none"]}';
const CHUNKS = `${BODY.length.toString(16)}\r\n${BODY}\r\n0\r\n\r\n`;

// A proxy that knows no Transfer-Encoding in HTTP/1.0 would see another end of the request: its rest would be somebody's.
describeService('how the end of a request is told', (service) => {
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
      ['before its chunks have come', [KEEP, 'Transfer-Encoding: chunked'], '18\r\n{'],
    ])('%s: 400 in the envelope, nothing behind it is read, and the connection is closed', async (_, headers, body) => {
      const sent = post('1.0', headers, body) + (body === CHUNKS ? behind() : '');
      const { answers, closedAfterMs } = await exchange(service().origin, sent);
      expect(answers.map(({ status }) => status)).toEqual([400]);
      expect(answers[0]?.body).toEqual({
        error: { status: 400, message: 'Transfer-Encoding needs HTTP/1.1' },
        meta: { request_id: answers[0]?.headers['x-request-id'] },
      });
      expect(answers[0]?.headers.connection).toBe('close');
      expect(closedAfterMs).toBeLessThan(3000);
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

  it.each([['1.1'], ['1.0']])(
    'a length and an encoding at once: 400, and the connection is closed (%s)',
    async (version) => {
      const both = [KEEP, `Content-Length: ${BODY.length}`, 'Transfer-Encoding: chunked'];
      const { answers, closedAfterMs } = await exchange(service().origin, post(version, both, CHUNKS) + behind());
      expect([answers.map(({ status }) => status), closedAfterMs !== null]).toEqual([[400], true]);
    },
  );

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
