import { describe, expect, it } from '@jest/globals';
import { isPlatform, platformCode, platformOf, PLATFORMS } from './platforms.js';

describe('platforms', () => {
  it('keep the numbers that stored rows depend on', () => {
    expect(PLATFORMS.map(platformCode)).toEqual([1, 2, 3, 4, 5]);
    expect(PLATFORMS.map(platformCode).map(platformOf)).toEqual(PLATFORMS);
  });

  it.each([0, 6, 1.5, Number.NaN])('have none for the number %d', (code) => {
    expect(() => platformOf(code)).toThrow(`No platform has the code ${code}`);
  });

  it.each(['', 'Live_platform', 'live_platform ', 'gamedb', 'toString'])('are not called %j', (value) => {
    expect(isPlatform(value)).toBe(false);
  });
});
