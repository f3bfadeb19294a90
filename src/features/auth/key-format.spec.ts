import { describe, expect, it } from '@jest/globals';
import { isTestKey, KeyFormat } from './key-format.js';

describe('KeyFormat', () => {
  const format = new KeyFormat('secret of this installation');

  it('creates distinct keys with a recognisable prefix', () => {
    const keys = Array.from({ length: 100 }, () => format.create().key);
    for (const key of keys) expect(key).toMatch(/^cdk_[0-9a-f]{52}$/);
    expect(new Set(keys).size).toBe(100);
  });

  it('accepts keys of the same installation secret only', () => {
    const key = format.create().key;
    expect(format.hashKey(key)).not.toBeNull();
    expect(new KeyFormat('secret of this installation').hashKey(key)).not.toBeNull();
    expect(new KeyFormat('another secret').hashKey(key)).toBeNull();
  });

  it('creates test keys with a prefix of their own, which cannot be exchanged', () => {
    const { key, keyHash } = format.create(true);
    expect(key).toMatch(/^cdk_test_[0-9a-f]{52}$/);
    expect(format.hashKey(key)).toBe(keyHash);
    expect([isTestKey(key), isTestKey(format.create().key)]).toEqual([true, false]);
    expect(format.hashKey(key.replace('cdk_test_', 'cdk_'))).toBeNull();
    expect(format.hashKey(format.create().key.replace('cdk_', 'cdk_test_'))).toBeNull();
  });

  it('rejects a key with any one character changed', () => {
    const key = format.create().key;
    for (let index = 0; index < key.length; index += 1) {
      const mistyped = key.slice(0, index) + (key[index] === '0' ? '1' : '0') + key.slice(index + 1);
      expect(format.hashKey(mistyped)).toBeNull();
    }
  });

  it('rejects a key that is shortened, lengthened, in upper case or padded with spaces', () => {
    const key = format.create().key;
    for (const text of [key.slice(0, -1), `${key}0`, key.toUpperCase(), ` ${key}`, `${key}\n`, key.slice(4), '']) {
      expect(format.hashKey(text)).toBeNull();
    }
  });

  it('returns a hash that contains neither the key nor its checksum', () => {
    const { key, keyHash } = format.create();
    expect(format.hashKey(key)).toBe(keyHash);
    expect(keyHash).toMatch(/^[0-9a-f]{52}$/);
    expect(keyHash).not.toContain(key.slice(-12));
  });
});
