import { beforeAll, describe, expect, it } from '@jest/globals';
import { matchesEtag, WeakEtags } from './etag.js';

describe('weak entity tags', () => {
  let etags: WeakEtags;

  beforeAll(async () => {
    etags = await WeakEtags.load();
  });

  it.each([100, 300 * 1024])('differ when one of %d bytes differs, wherever it is', (length) => {
    const bytes = Buffer.alloc(length, 'a');
    const first = Buffer.from(bytes).fill('b', 0, 1);
    const last = Buffer.from(bytes).fill('b', length - 1);
    const tags = [bytes, first, last, bytes.subarray(1)].map((body) => etags.tagOf([body], {}));
    expect(new Set(tags).size).toBe(4);
  });

  it('are the same for the same bytes and data', () => {
    const bytes = Buffer.alloc(300 * 1024, 'a');
    expect(etags.tagOf([bytes], { game: 'x' })).toBe(etags.tagOf([Buffer.from(bytes)], { game: 'x' }));
  });

  it('are the same however the bytes are cut into pieces', () => {
    const bytes = Buffer.from('{"payload":[1,2,3]}');
    const pieces = [bytes.subarray(0, 11), bytes.subarray(11, 12), bytes.subarray(12, 12), bytes.subarray(12)];
    expect(etags.tagOf(pieces, {})).toBe(etags.tagOf([bytes], {}));
  });

  it('differ when what meta says of the data differs', () => {
    const bytes = Buffer.from('[]');
    expect(new Set([{}, { a: 1 }, { a: 2 }].map((data) => etags.tagOf([bytes], data))).size).toBe(3);
  });

  it('match in a list, with or without W/, and with *', () => {
    const etag = etags.tagOf([Buffer.from('[]')], {});
    const headers = [etag, etag.slice(2), `"other", ${etag}`, '*'];
    expect(headers.map((header) => matchesEtag(header, etag))).toEqual([true, true, true, true]);
    expect(matchesEtag('W/"other"', etag)).toBe(false);
    expect(matchesEtag(undefined, etag)).toBe(false);
  });
});
