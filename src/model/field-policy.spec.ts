import { describe, expect, it, jest } from '@jest/globals';
import { hiddenMembers, hideableMembers, readPolicy, sensitiveMembers } from './field-policy.js';
import { hideable, list, nullable, sensitive, shape, text } from './scalars.js';

shape({
  id: text,
  email: sensitive(text),
  birthday: sensitive(nullable(text).describe('Birthday')),
  biography: hideable(text).describe('described after the mark'),
  aliases: hideable(list(shape({ nickname: hideable(text), order: text }))),
});

describe('members that may be hidden', () => {
  it('are those that a schema marks, at any depth, the sensitive ones first', () => {
    expect(sensitiveMembers()).toEqual(['birthday', 'email']);
    expect(hideableMembers()).toEqual(['birthday', 'email', 'aliases', 'biography', 'nickname']);
  });

  it('are sensitive everywhere if they are anywhere', () => {
    shape({ email: hideable(text) });
    expect(sensitiveMembers()).toContain('email');
    expect(hideableMembers()).toHaveLength(5);
  });

  it('are not known before a schema is made: a policy must not hide less by accident', () => {
    jest.isolateModules(() => {
      const unmarked = jest.requireActual<typeof import('./field-policy.js')>('./field-policy.js');
      expect(() => unmarked.hiddenMembers('sensitive')).toThrow('not loaded');
    });
  });
});

describe('a field policy', () => {
  it('keeps members once, in one order, whatever was typed', () => {
    expect(readPolicy('biography, email,biography')).toBe('email,biography');
    expect(readPolicy('email,biography')).toBe('email,biography');
  });

  it('keeps the word sensitive, and hides all that it stands for', () => {
    expect(readPolicy('sensitive')).toBe('sensitive');
    expect([...(hiddenMembers('sensitive,biography') ?? [])]).toEqual([...sensitiveMembers(), 'biography']);
  });

  it('is null for none', () => {
    expect(readPolicy('none')).toBeNull();
    expect(hiddenMembers(null)).toBeNull();
  });

  it.each(['', 'email,', 'Email', 'id', 'followers', 'none,email'])('refuses %j', (text) => {
    expect(() => readPolicy(text)).toThrow(/^There is no member .* to hide\. It must be .*aliases.*birthday/);
  });
});
