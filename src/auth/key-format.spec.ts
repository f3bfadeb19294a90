import { describe, expect, it } from '@jest/globals';
import { hashKey, KeyFormat } from './key-format.js';

describe('a key', () => {
  const format = new KeyFormat('secret of this installation');

  it('is recognisable, and never the same twice', () => {
    const keys = Array.from({ length: 100 }, () => format.create());
    for (const key of keys) expect(key).toMatch(/^cdk_[0-9a-f]{52}$/);
    expect(new Set(keys).size).toBe(100);
  });

  it('is well-formed where it was made, after a restart too, and nowhere else', () => {
    const key = format.create();
    expect(format.isWellFormed(key)).toBe(true);
    expect(new KeyFormat('secret of this installation').isWellFormed(key)).toBe(true);
    expect(new KeyFormat('another secret').isWellFormed(key)).toBe(false);
  });

  it('is refused with any one character mistyped', () => {
    const key = format.create();
    for (let index = 0; index < key.length; index += 1) {
      const mistyped = key.slice(0, index) + (key[index] === '0' ? '1' : '0') + key.slice(index + 1);
      expect(format.isWellFormed(mistyped)).toBe(false);
    }
  });

  it('is refused shortened, lengthened, in another case or with blanks around it', () => {
    const key = format.create();
    for (const text of [key.slice(0, -1), `${key}0`, key.toUpperCase(), ` ${key}`, `${key}\n`, key.slice(4), '']) {
      expect(format.isWellFormed(text)).toBe(false);
    }
  });

  it('is stored as its SHA-256', () => {
    expect(hashKey('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });
});
