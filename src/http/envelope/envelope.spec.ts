import { describe, expect, it } from '@jest/globals';
import { createEnvelope } from './envelope.js';

const documents = ['{"id":"1"}', '{"id":"2","name":"é"}'].map((text) => Buffer.from(text));

describe('the envelope', () => {
  it('holds the documents of a list as they are stored, its paging, and meta', () => {
    const paging = { limit: 3, next_cursor: 'next' };
    const data = '{"payload":[{"id":"1"},{"id":"2","name":"é"}],"paging":{"limit":3,"next_cursor":"next"}';
    const made = createEnvelope({ data: documents, paging }, { request_id: 'r' });
    expect([String(made.bodyWithoutMeta), String(made.body)]).toEqual([data, `${data},"meta":{"request_id":"r"}}`]);
  });

  it('holds a single document as it is stored', () => {
    expect(String(createEnvelope({ data: Buffer.from('{"id":"1"}') }, {}).body)).toBe(
      '{"payload":{"id":"1"},"meta":{}}',
    );
  });

  it('is an empty array for no documents', () => {
    expect(String(createEnvelope({ data: [] }, {}).body)).toBe('{"payload":[],"meta":{}}');
  });
});
