import { describe, expect, it, test } from '@jest/globals';
import { envelope } from './envelope.js';

const documents = ['{"id":"1"}', '{"id":"2","name":"é"}', '{"id":"3"}'].map((text) => Buffer.from(text));
const about = { paging: { limit: 3, next_cursor: 'next' }, meta: { request_id: 'r' }, itemsReturned: 3 };

const textOf = (pieces: readonly Buffer[]) => Buffer.concat(pieces).toString();

/** The documents cut from one piece of memory in which each is followed by `separator`, as a database hands them out. */
function cutFrom(separator: string, spareBytes = 0): Buffer[] {
  const text = documents.map((document) => document.toString() + separator).join('');
  // Of its own, not a part of Node's pool.
  const memory = Buffer.alloc(Buffer.byteLength(text) + spareBytes, text);
  let start = 0;
  return documents.map(({ length }) => {
    const document = memory.subarray(start, start + length);
    start += length + Buffer.byteLength(separator);
    return document;
  });
}

describe('the envelope of a list', () => {
  const expected = '{"payload":[{"id":"1"},{"id":"2","name":"é"},{"id":"3"}],"paging":{"limit":3,"next_cursor":"next"}';

  test.each([
    ['apart from each other', () => documents],
    ['side by side with a comma between', () => cutFrom(',')],
    ['side by side with another byte between', () => cutFrom('\n')],
    ['side by side with nothing between', () => cutFrom('')],
    ['side by side with a gap', () => cutFrom(', ')],
  ])('is the same for documents that lie %s', (_where, payload) => {
    const { body, data } = envelope({ payload: payload(), ...about });
    expect(textOf(body)).toBe(`${expected},"meta":{"request_id":"r"}}`);
    expect(textOf(data)).toBe(expected);
  });

  it('keeps the order of documents that lie in another one', () => {
    const [first, second, third] = cutFrom(',') as [Buffer, Buffer, Buffer];
    const { body } = envelope({ payload: [second, first, third], ...about });
    expect(textOf(body)).toContain('[{"id":"2","name":"é"},{"id":"1"},{"id":"3"}]');
  });

  it('copies no document of those that lie side by side', () => {
    const payload = cutFrom(',');
    const { body } = envelope({ payload, ...about });
    expect(body.some(({ buffer }) => buffer === payload[0]?.buffer)).toBe(true);
  });

  it('lets go of memory that holds more of other things', () => {
    const payload = cutFrom(',', 1000);
    const { body } = envelope({ payload, ...about });
    expect(body.some(({ buffer }) => buffer === payload[0]?.buffer)).toBe(false);
    expect(textOf(body)).toContain(expected);
  });

  it('is an empty array for no documents', () => {
    const { body } = envelope({ payload: [], meta: {}, itemsReturned: 0 });
    expect(textOf(body)).toBe('{"payload":[],"meta":{}}');
  });
});
