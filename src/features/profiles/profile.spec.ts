import { describe, expect, it } from '@jest/globals';
import { profileSchema } from './profile.js';

describe('the handle of a profile', () => {
  it.each([
    ['x', 255],
    ['é', 127],
  ])('has at most 255 bytes in UTF-8 (%s)', (character, times) => {
    const name = character.repeat(times);
    const profile = { platform_id: 'live_platform', id: '1' };
    expect(profileSchema.parse({ ...profile, name }).name).toBe(name);
    expect(profileSchema.safeParse({ ...profile, name: name + character }).success).toBe(false);
  });
});
