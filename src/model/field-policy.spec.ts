import { describe, expect, it, jest } from '@jest/globals';
import { hiddenMembers, hideableMembers, parsePolicy, sensitiveMembers } from './field-policy.js';
import { hideable, list, nullable, sensitive, shape, text } from './scalars.js';

shape({
  id: text,
  email: sensitive(text),
  birthday: sensitive(nullable(text).describe('Birthday')),
  biography: hideable(text).describe('described after the mark'),
  aliases: hideable(list(shape({ nickname: hideable(text), order: text }))),
});

describe('hideableMembers', () => {
  it('lists the members that a schema marks at any depth, sensitive ones first', () => {
    expect(sensitiveMembers()).toEqual(['birthday', 'email']);
    expect(hideableMembers()).toEqual(['birthday', 'email', 'aliases', 'biography', 'nickname']);
  });

  it('treats a member as sensitive everywhere if one schema marks it as sensitive', () => {
    shape({ email: hideable(text) });
    expect(sensitiveMembers()).toContain('email');
    expect(hideableMembers()).toHaveLength(5);
  });

  it('throws before a schema is loaded, so that a policy never hides too little', () => {
    jest.isolateModules(() => {
      const unmarked = jest.requireActual<typeof import('./field-policy.js')>('./field-policy.js');
      expect(() => unmarked.hiddenMembers('sensitive')).toThrow('not loaded');
    });
  });
});

describe('parsePolicy', () => {
  it('removes duplicates and sorts the members', () => {
    expect(parsePolicy('biography, email,biography')).toBe('email,biography');
    expect(parsePolicy('email,biography')).toBe('email,biography');
  });

  it('keeps the word sensitive, which hides every sensitive member', () => {
    expect(parsePolicy('sensitive')).toBe('sensitive');
    expect([...(hiddenMembers('sensitive,biography') ?? [])]).toEqual([...sensitiveMembers(), 'biography']);
  });

  it('returns null for none', () => {
    expect(parsePolicy('none')).toBeNull();
    expect(hiddenMembers(null)).toBeNull();
  });

  it.each(['', 'email,', 'Email', 'id', 'followers', 'none,email'])('rejects %j', (text) => {
    expect(() => parsePolicy(text)).toThrow(/^There is no member .* to hide\. It must be .*aliases.*birthday/);
  });
});
