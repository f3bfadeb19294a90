import { describe, expect, it } from '@jest/globals';
import { aProfile } from '../support/records/builders.js';
import { differenceOf } from '../support/http/difference.js';
import { exchange } from '../support/http/raw-socket.js';
import { describeService } from '../support/service/test-service.js';

const SHORT = 4000;

/** Returns the message of a failing assertion. */
function failureOf(assertion: () => void): string {
  try {
    assertion();
  } catch (error) {
    return (error as Error).message;
  }
  return '';
}

describe('the difference of two values', () => {
  const long = '😀ä'.repeat(100_000);

  it.each([
    ['long texts', `${long}a${long}`, `${long}b${long}`, 'differ at 300000'],
    ['a longer text', `${long}a`, long, '300001 characters instead of 300000'],
    ['buffers', Buffer.from(`${long}a`), Buffer.from(`${long}b`), '(bytes): the texts differ at 600000'],
    ['buffers that are no text', Buffer.from([0xff]), Buffer.from([0xfe]), String.raw`"ÿ"`],
    ['members', { a: [{ b: long }] }, { a: [{ b: `${long}x` }] }, '/a/0/b: the texts differ at 300000'],
    ['missing members', { a: 1 }, { a: 1, b: long }, '/b: undefined instead of "😀ä'],
    ['the order of members', { a: 1, b: 2 }, { b: 2, a: 1 }, '(order of members)'],
    ['an array and an object', [], {}, ': [] instead of {}'],
    ['null and nothing', { a: null }, {}, '/a: null instead of undefined'],
  ])('of %s is told in a few lines', (_, received, expected, says) => {
    const difference = differenceOf(received, expected);
    expect(difference).toContain(says);
    expect(String(difference).length).toBeLessThan(600);
  });

  it('is none where they are the same', () => {
    for (const value of [long, Buffer.from(long), { a: [{ b: long }], c: null }, [], null, undefined, Number.NaN])
      expect(differenceOf(value, structuredClone(value) === value ? value : copyOf(value))).toBeNull();
  });

  const copyOf = (value: unknown): unknown => (Buffer.isBuffer(value) ? Buffer.from(value) : structuredClone(value));
});

describeService('a test that fails', (service) => {
  it('prints an answer by its beginning, and still what differs', async () => {
    const description = 'ä☃😀x'.repeat(50_000);
    const [one, two] = [aProfile({ description }), aProfile({ description: `${description}.` })];
    await service().load('profiles', one, two);
    const [first, second] = await Promise.all(
      [one, two].map(({ id }) => service().get(`/platforms/live_platform/profiles/${id}`)),
    );
    for (const assertion of [
      () => expect(first).toEqual(second),
      () => expect([first, second]).toHaveLength(3),
      () => expect([first]).toEqual([]),
    ]) {
      const message = failureOf(assertion);
      expect(message.length).toBeGreaterThan(100);
      expect(message.length).toBeLessThan(SHORT);
    }
    expect(failureOf(() => expect(first).toEqual(second))).toMatch(/-.*digest[^]*\+.*digest/);
  });

  it('does so for an answer that was read from a socket, and for lines that are rejected', async () => {
    const bytes = `GET /openapi.json HTTP/1.1\r\nHost: test\r\n\r\n`;
    const { answers } = await exchange(service().origin, bytes, { answers: 1 });
    expect(answers[0]?.status).toBe(200);
    expect(failureOf(() => expect(answers).toEqual([])).length).toBeLessThan(SHORT);
    const load = service().load('profiles', { ...aProfile(), name: 1, description: 'x'.repeat(500_000) });
    const message = await load.catch((error: Error) => error.message);
    expect(message).toContain('name must be a string');
    expect(String(message).length).toBeLessThan(SHORT);
  });
});
