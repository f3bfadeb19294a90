import { describe, expect, it } from '@jest/globals';
import { envelope } from './envelope.js';

const documents = ['{"id":"1"}', '{"id":"2","name":"é"}'];

describe('the envelope', () => {
  it('holds the documents of a list as they are stored, its paging, and meta apart', () => {
    const paging = { limit: 3, next_cursor: 'next' };
    expect(envelope({ payload: documents, paging, meta: { request_id: 'r' }, itemsReturned: 2 })).toEqual({
      data: '{"payload":[{"id":"1"},{"id":"2","name":"é"}],"paging":{"limit":3,"next_cursor":"next"}',
      meta: ',"meta":{"request_id":"r"}}',
    });
  });

  it('holds a single document as it is stored', () => {
    const { data, meta } = envelope({ payload: '{"id":"1"}', meta: {}, itemsReturned: 1 });
    expect(data + meta).toBe('{"payload":{"id":"1"},"meta":{}}');
  });

  it('is an empty array for no documents', () => {
    const { data, meta } = envelope({ payload: [], meta: {}, itemsReturned: 0 });
    expect(data + meta).toBe('{"payload":[],"meta":{}}');
  });
});
