import { describe, expect, it } from '@jest/globals';
import { envelope } from './envelope.js';

const documents = ['{"id":"1"}', '{"id":"2","name":"é"}'];

describe('the envelope', () => {
  it('holds the documents of a list as they are stored, its paging, and meta', () => {
    const paging = { limit: 3, next_cursor: 'next' };
    const data = '{"payload":[{"id":"1"},{"id":"2","name":"é"}],"paging":{"limit":3,"next_cursor":"next"}';
    expect(envelope({ data: documents, paging }, { request_id: 'r' })).toEqual({
      data,
      body: `${data},"meta":{"request_id":"r"}}`,
    });
  });

  it('holds a single document as it is stored', () => {
    expect(envelope({ data: '{"id":"1"}' }, {}).body).toBe('{"payload":{"id":"1"},"meta":{}}');
  });

  it('is an empty array for no documents', () => {
    expect(envelope({ data: [] }, {}).body).toBe('{"payload":[],"meta":{}}');
  });
});
