import { describe, expect, it } from '@jest/globals';
import { hideMembers } from './hide-members.js';

const hidden = (value: unknown, ...members: string[]): unknown =>
  JSON.parse(String(hideMembers(Buffer.from(JSON.stringify(value)), new Set(members))));

describe('hiding members', () => {
  it('makes null of values and objects, and an empty list of lists', () => {
    const document = { a: 'x', b: { c: 1 }, d: [1, 2], e: false, f: null };
    expect(hidden(document, 'a', 'b', 'd', 'e', 'f')).toEqual({ a: null, b: null, d: [], e: null, f: null });
  });

  it('finds them at any depth, in lists and in a document that is a list', () => {
    expect(hidden([{ a: 1, b: [{ a: 2, c: 3 }] }, { c: { a: [4] } }], 'a')).toEqual([
      { a: null, b: [{ a: null, c: 3 }] },
      { c: { a: [] } },
    ]);
  });

  it('leaves the other members, their order and every character', () => {
    const text = '{"z":"é\\"\\u2028/\\\\","hidden":"x","a":0.1,"m":[9007199254740991,-1.5e-7,{}]}';
    const changed = String(hideMembers(Buffer.from(text), new Set(['hidden'])));
    expect(changed).toBe(JSON.stringify(JSON.parse(text)).replace('"hidden":"x"', '"hidden":null'));
  });

  it('adds nothing to a document without the members, and gives back its very bytes', () => {
    const document = Buffer.from('{ "b": 1 }');
    expect(hideMembers(document, new Set(['a']))).toBe(document);
  });

  it('does not take places in a list for names, nor values for names', () => {
    expect(hidden(['a', { b: 'a' }], '0', '1', 'a')).toEqual(['a', { b: 'a' }]);
  });
});
