import { describe, expect, it } from '@jest/globals';
import { KeyFormat } from './key-format.js';

describe('a key', () => {
  const format = new KeyFormat('secret of this installation');

  it('is recognisable, and never the same twice', () => {
    const keys = Array.from({ length: 100 }, () => format.create().key);
    for (const key of keys) expect(key).toMatch(/^cdk_[0-9a-f]{52}$/);
    expect(new Set(keys).size).toBe(100);
  });

  it('is well-formed where it was made, after a restart too, and nowhere else', () => {
    const key = format.create().key;
    expect(format.hashOf(key)).not.toBeNull();
    expect(new KeyFormat('secret of this installation').hashOf(key)).not.toBeNull();
    expect(new KeyFormat('another secret').hashOf(key)).toBeNull();
  });

  it('is refused with any one character mistyped', () => {
    const key = format.create().key;
    for (let index = 0; index < key.length; index += 1) {
      const mistyped = key.slice(0, index) + (key[index] === '0' ? '1' : '0') + key.slice(index + 1);
      expect(format.hashOf(mistyped)).toBeNull();
    }
  });

  it('is refused shortened, lengthened, in another case or with blanks around it', () => {
    const key = format.create().key;
    for (const text of [key.slice(0, -1), `${key}0`, key.toUpperCase(), ` ${key}`, `${key}\n`, key.slice(4), '']) {
      expect(format.hashOf(text)).toBeNull();
    }
  });

  it('is known to the store by a hash that tells neither the key nor its checksum', () => {
    const { key, keyHash } = format.create();
    expect(format.hashOf(key)).toBe(keyHash);
    expect(keyHash).toMatch(/^[0-9a-f]{52}$/);
    expect(keyHash).not.toContain(key.slice(-12));
  });
});
