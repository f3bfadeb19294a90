import { describe, expect, it } from '@jest/globals';
import { HIDEABLE_MEMBERS, hiddenMembers, readPolicy, SENSITIVE_MEMBERS } from './field-policy.js';

describe('a field policy', () => {
  it('keeps members once, in one order, whatever was typed', () => {
    expect(readPolicy('biography, email,biography')).toBe(readPolicy('email,biography'));
  });

  it('keeps the word sensitive, and hides all that it stands for', () => {
    expect(readPolicy('sensitive')).toBe('sensitive');
    expect([...(hiddenMembers('sensitive,biography') ?? [])]).toEqual([...SENSITIVE_MEMBERS, 'biography']);
  });

  it('is null for none', () => {
    expect(readPolicy('none')).toBeNull();
    expect(hiddenMembers(null)).toBeNull();
  });

  it.each(['', 'email,', 'Email', 'id', 'followers', 'none,email'])('refuses %j', (text) => {
    expect(() => readPolicy(text)).toThrow(/^There is no member .* to hide\. It must be .*aliases.*birthday/);
  });

  it('fits into its column even with every member in it', () => {
    expect(Buffer.byteLength(readPolicy(['sensitive', ...HIDEABLE_MEMBERS].join(',')) ?? '')).toBeLessThan(2000);
  });
});
