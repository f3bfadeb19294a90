import { describe, expect, it } from '@jest/globals';
import { SETTING_NAMES } from './config.js';
import { describeMisspeltSettings } from './misspelt-settings.js';

describe('describeMisspeltSettings', () => {
  it.each([
    ['a missing character', 'WORKER', 'WORKERS'],
    ['an additional character', 'DATABASE_URLS', 'DATABASE_URL'],
    ['a wrong character', 'DATA_DIT', 'DATA_DIR'],
    ['swapped characters', 'REDIS_ULR', 'REDIS_URL'],
  ])('names the setting for %s', (_edit, name, meant) => {
    expect(describeMisspeltSettings({ [name]: 'x' })).toEqual([`${name} is not a setting: did you mean ${meant}?`]);
  });

  it('accepts every setting', () => {
    expect(describeMisspeltSettings(Object.fromEntries(SETTING_NAMES.map((name) => [name, 'x'])))).toEqual([]);
  });

  it('accepts variables of other programs', () => {
    const others = ['PATH', 'HOME', 'HOSTNAME', 'PORT0', 'PORTS', 'REDIS_HOST', 'LOG', 'DATABASE', 'WORK'];
    expect(describeMisspeltSettings(Object.fromEntries(others.map((name) => [name, 'x'])))).toEqual([]);
  });
});
