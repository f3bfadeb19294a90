import { describe, expect, it } from '@jest/globals';
import { Endpoint } from './endpoint.js';
import type { EndpointOptions } from './endpoint-rules.js';

const FEED: EndpointOptions = {
  operation: 'changes.list',
  summary: 'Follow changes',
  description: 'Returns changes.',
  payload: { many: 'Change' },
  paging: 'feed',
  meta: [],
};

describe('the declaration of an endpoint', () => {
  it('needs the records that a list reads, because a key reads only so many at a time', () => {
    expect(() => Endpoint(FEED)).toThrow('changes.list: give `readRecords`');
    expect(() => Endpoint({ ...FEED, readRecords: () => 50 })).not.toThrow();
  });

  it('counts requested items exactly where units are charged by them', () => {
    const requestedItems = () => 50;
    expect(() => Endpoint({ ...FEED, requestedItems })).toThrow('give `requestedItems` if, and only if');
    expect(() => Endpoint({ ...FEED, operation: 'profiles.list' })).toThrow('give `requestedItems` if, and only if');
  });
});
