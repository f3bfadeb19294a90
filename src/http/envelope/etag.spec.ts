import { beforeAll, describe, expect, it } from '@jest/globals';
import { isWildcard, matchesEtag, WeakEtags } from './etag.js';

const NONE = Buffer.from('[]');

describe('weak entity tags', () => {
  let etags: WeakEtags;

  beforeAll(async () => {
    etags = await WeakEtags.load('a secret');
  });

  it.each([100, 300 * 1024])('differ when one of %d characters differs, wherever it is', (length) => {
    const text = 'a'.repeat(length);
    const first = `b${text.slice(1)}`;
    const last = `${text.slice(1)}b`;
    const tags = [text, first, last, text.slice(1)].map((body) => etags.createTag('/', Buffer.from(body), {}));
    expect(new Set(tags).size).toBe(4);
  });

  it('are the same for the same text and data', () => {
    const text = 'a'.repeat(300 * 1024);
    const tags = [1, 2].map(() => etags.createTag('/', Buffer.from(text), { game: 'x' }));
    expect(tags[0]).toBe(tags[1]);
  });

  it('differ when what meta says of the data differs', () => {
    expect(new Set([{}, { a: 1 }, { a: 2 }].map((data) => etags.createTag('/', Buffer.from('[]'), data))).size).toBe(3);
  });

  it('differ with the address and with the secret', async () => {
    const other = await WeakEtags.load('another secret');
    const tags = [etags.createTag('/', NONE, {}), etags.createTag('/a', NONE, {}), other.createTag('/', NONE, {})];
    expect(new Set(tags).size).toBe(3);
  });

  it('are 96 bits, whatever there is to say', () => {
    for (const data of [{}, { game: 'x' }]) expect(etags.createTag('/', NONE, data)).toMatch(/^W\/"[\w-]{16}"$/);
  });

  it('match in a list, with or without W/', () => {
    const etag = etags.createTag('/', NONE, {});
    const headers = [etag, etag.slice(2), `"other", ${etag}`, ` ${etag} `];
    expect(headers.map((header) => matchesEtag(header, etag))).toEqual([true, true, true, true]);
    expect(['W/"other"', '*', undefined].map((header) => matchesEtag(header, etag))).toEqual([false, false, false]);
  });

  it('`*` matches anything, only where it stands alone', () => {
    expect(['*', ' * '].map(isWildcard)).toEqual([true, true]);
    expect(['*, "x"', '"*"', '', undefined].map(isWildcard)).toEqual([false, false, false, false]);
  });
});
