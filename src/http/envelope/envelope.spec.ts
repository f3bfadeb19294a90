import { describe, expect, it, test } from '@jest/globals';
import { JoinedDocuments } from '../../database/document-list.js';
import { envelope } from './envelope.js';

const documents = ['{"id":"1"}', '{"id":"2","name":"é"}', '{"id":"3"}'].map((text) => Buffer.from(text));
const about = { paging: { limit: 3, next_cursor: 'next' }, meta: { request_id: 'r' }, itemsReturned: 3 };

const textOf = (pieces: readonly Buffer[]) => Buffer.concat(pieces).toString();

describe('the envelope of a list', () => {
  const expected = '{"payload":[{"id":"1"},{"id":"2","name":"é"},{"id":"3"}],"paging":{"limit":3,"next_cursor":"next"}';
  const joined = new JoinedDocuments(Buffer.from(documents.join(',')), documents.length);

  test.each([
    ['come each for itself', documents],
    ['come in one piece', joined],
  ])('is the same for documents that %s', (_how, payload) => {
    const { body, data } = envelope({ payload, ...about });
    expect(textOf(body.pieces)).toBe(`${expected},"meta":{"request_id":"r"}}`);
    expect(textOf(data)).toBe(expected);
  });

  it('copies no document of those that come in one piece', () => {
    const { body } = envelope({ payload: joined, ...about });
    expect(body.pieces).toContain(joined.bytes);
    expect(body.own).toBe(joined.bytes);
  });

  it('shares no memory with documents that come each for itself', () => {
    const { body } = envelope({ payload: documents.map((document) => document.subarray(0)), ...about });
    body.own.fill(0);
    expect(documents[0]?.toString()).toBe('{"id":"1"}');
  });

  it('is an empty array for no documents', () => {
    const { body } = envelope({ payload: [], meta: {}, itemsReturned: 0 });
    expect(textOf(body.pieces)).toBe('{"payload":[],"meta":{}}');
  });
});
