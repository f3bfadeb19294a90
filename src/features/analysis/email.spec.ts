import { describe, expect, it } from '@jest/globals';
import { emailSchema } from './email.js';

describe('emailSchema', () => {
  it.each(['a@b', 'first.last+tag@sub.example', 'ü@例え.example', `${'a'.repeat(318)}@b`])('accepts %s', (email) => {
    expect(emailSchema.parse({ email })).toEqual({ email, updated_at: null });
  });

  it.each(['', 'a', '@b', 'a@', 'a@b@c', 'a b@c', 'a@b\n', 'a\u0000@b', `${'a'.repeat(319)}@b`])(
    'rejects %j',
    (email) => {
      expect(emailSchema.safeParse({ email }).success).toBe(false);
    },
  );
});
