import { beforeAll, describe, expect, it } from '@jest/globals';
import { matchesEtag, WeakEtags } from './etag.js';

describe('weak entity tags', () => {
  let etags: WeakEtags;

  beforeAll(async () => {
    etags = await WeakEtags.load();
  });

  it.each([100, 300 * 1024])('differ when one of %d characters differs, wherever it is', (length) => {
    const text = 'a'.repeat(length);
    const first = `b${text.slice(1)}`;
    const last = `${text.slice(1)}b`;
    const tags = [text, first, last, text.slice(1)].map((body) => etags.tagOf(Buffer.from(body), {}));
    expect(new Set(tags).size).toBe(4);
  });

  it('are the same for the same text and data', () => {
    const text = 'a'.repeat(300 * 1024);
    expect(etags.tagOf(Buffer.from(text), { game: 'x' })).toBe(etags.tagOf(Buffer.from(text), { game: 'x' }));
  });

  it('differ when what meta says of the data differs', () => {
    expect(new Set([{}, { a: 1 }, { a: 2 }].map((data) => etags.tagOf(Buffer.from('[]'), data))).size).toBe(3);
  });

  it('are of the bytes alone where meta says nothing of the data', () => {
    expect(etags.tagOf(Buffer.from('[]'), {})).toMatch(/^W\/"[0-9a-z]+"$/);
  });

  it('match in a list, with or without W/, and with *', () => {
    const etag = etags.tagOf(Buffer.from('[]'), {});
    const headers = [etag, etag.slice(2), `"other", ${etag}`, '*'];
    expect(headers.map((header) => matchesEtag(header, etag))).toEqual([true, true, true, true]);
    expect(matchesEtag('W/"other"', etag)).toBe(false);
    expect(matchesEtag(undefined, etag)).toBe(false);
  });
});
