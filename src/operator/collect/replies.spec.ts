import { describe, expect, it } from '@jest/globals';
import { parseApiReply } from './api-reply.js';
import { failedRetryMs, outagePauseMs, retryDelayMs } from './backoff.js';
import { formatDuration, parseDuration } from './duration.js';
import { nextQuotaDay, quotaDay } from './quota-day.js';

const NOW = Date.parse('2026-01-10T00:00:00Z');

const google = (reason: string, details: readonly object[] = []) =>
  JSON.stringify({ error: { code: 400, errors: [{ reason }], details } });

const read = (status: number, text: string, headers: Record<string, string> = {}) =>
  parseApiReply(status, new Headers(headers), text, NOW);

describe('readReply', () => {
  it.each([
    ['an answer', 200, '{"data":[]}', { kind: 'answer', body: { data: [] } }],
    ['a page instead of JSON', 200, '<html>', { kind: 'unavailable', reason: 'the answer is not JSON' }],
    ['an expired token', 401, '{"message":"x"}', { kind: 'unauthorized', isForbidden: false }],
    ['a 403 of IGDB', 403, '{"message":"Forbidden"}', { kind: 'unauthorized', isForbidden: true }],
    [
      'a wrong key of Google',
      400,
      google('badRequest', [{ reason: 'API_KEY_INVALID' }]),
      { kind: 'unauthorized', isForbidden: false },
    ],
    ['a used-up quota of Google', 403, google('quotaExceeded'), { kind: 'exhausted' }],
    ['a playlist of nobody', 404, google('playlistNotFound'), { kind: 'not_found' }],
    ['a wrong call', 400, '{"error":"InvalidRequest"}', { kind: 'rejected', reason: 'HTTP 400' }],
    ['a redirect', 302, '', { kind: 'unavailable', reason: 'HTTP 302' }],
    ['an answer of nothing', 204, '', { kind: 'unavailable', reason: 'HTTP 204' }],
    [
      'a key for another API',
      403,
      google('forbidden', [{ reason: 'API_KEY_SERVICE_BLOCKED' }]),
      { kind: 'unauthorized', isForbidden: false },
    ],
    ['an outage', 503, 'upstream', { kind: 'unavailable', reason: 'HTTP 503' }],
    ['a rate limit of Google', 403, google('rateLimitExceeded'), { kind: 'wait', until: NOW + 60_000 }],
  ])('recognises %s', (_name, status, text, reply) => {
    expect(read(status, text)).toEqual(reply);
  });

  it.each([
    [{ 'retry-after': '30' }, 30_000],
    [{ 'retry-after': 'Sat, 10 Jan 2026 00:02:00 GMT' }, 120_000],
    [{ 'retry-after': 'Fri, 09 Jan 2026 00:00:00 GMT' }, 1000],
    [{ 'retry-after': '0' }, 1000],
    [{ 'retry-after': '1000000000' }, 86_400_000],
    [{ 'retry-after': '9'.repeat(400) }, 86_400_000],
    [{ 'retry-after': 'Fri, 31 Dec 9999 23:59:59 GMT' }, 86_400_000],
    [{ 'retry-after': '-5' }, 60_000],
    [{ 'retry-after': '1.5' }, 60_000],
    [{ 'ratelimit-reset': String(NOW) }, 86_400_000],
    [{ 'ratelimit-reset': String(NOW / 1000 + 45) }, 45_000],
    [{ 'ratelimit-reset': '5' }, 60_000],
    [{}, 60_000],
  ])('waits as %j tells after a 429', (headers, ms) => {
    expect(read(429, '', headers)).toEqual({ kind: 'wait', until: NOW + ms });
  });
});

describe('backing off', () => {
  it('doubles the delay, with jitter of half', () => {
    expect([1, 2, 5].map((retry) => [retryDelayMs(retry, 0), retryDelayMs(retry, 1)])).toEqual([
      [500, 1500],
      [1000, 3000],
      [8000, 24_000],
    ]);
  });

  it('pauses longer the more calls in a row have failed, up to a minute', () => {
    expect([0, 1, 2, 9].map(outagePauseMs)).toEqual([0, 15_000, 30_000, 60_000]);
  });

  it('asks again after five minutes, or a tenth of the shortest interval', () => {
    const delays = [[86_400_000], [86_400_000, 600_000], []].map((intervals) => failedRetryMs(intervals, 1));
    expect(delays).toEqual([300_000, 60_000, 300_000]);
  });

  it('waits longer after each failure in a row, up to the interval and to a day', () => {
    const delays = (hours: number) => [1, 2, 3, 9].map((failures) => failedRetryMs([hours * 3_600_000], failures));
    expect(delays(2)).toEqual([300_000, 1_200_000, 4_800_000, 7_200_000]);
    expect(delays(240)).toEqual([300_000, 1_200_000, 4_800_000, 86_400_000]);
  });
});

describe('quotaDay', () => {
  const PACIFIC = 'America/Los_Angeles';

  it('begins at midnight of the time zone, in winter and in summer', () => {
    for (const midnight of ['2026-01-10T08:00:00Z', '2026-07-10T07:00:00Z'].map(Date.parse)) {
      expect(quotaDay(midnight, PACIFIC) - quotaDay(midnight - 1, PACIFIC)).toBe(1);
      expect(nextQuotaDay(midnight - 1, PACIFIC)).toBe(midnight);
    }
  });

  it('finds the next day over a change of the clock', () => {
    expect(nextQuotaDay(Date.parse('2026-03-08T08:00:00Z'), PACIFIC)).toBe(Date.parse('2026-03-09T07:00:00Z'));
    expect(nextQuotaDay(NOW, 'UTC')).toBe(NOW + 86_400_000);
  });
});

describe('durations', () => {
  it.each([
    ['10m', 600_000],
    ['6h', 21_600_000],
    ['365d', 365 * 86_400_000],
    ['9m', null],
    ['366d', null],
    ['1w', null],
    ['-1h', null],
    ['', null],
  ])('parses %j', (text, ms) => {
    expect(parseDuration(text)).toBe(ms);
  });

  it('are formatted with a unit that fits', () => {
    expect([45_000, 720_000, 12_600_000, 181_440_000].map(formatDuration)).toEqual([
      '45 s',
      '12 min',
      '3.5 h',
      '2.1 d',
    ]);
  });
});
