import { expect, it } from '@jest/globals';
import { compareBytes } from './byte-order.js';

const TEXTS = ['', 'a', 'ab', 'Z', 'é', 'ß', 'ゲ', '\ud7ff', '\ue000', '\uffff', '😀', '😁', 'a😀', 'a\uffff', '\0'];

it('sorts texts as their UTF-8 bytes', () => {
  const byBytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));
  for (const a of TEXTS) {
    for (const b of TEXTS) expect(Math.sign(compareBytes(a, b))).toBe(byBytes(a, b));
  }
});
