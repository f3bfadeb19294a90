import { describe, expect, it } from '@jest/globals';
import { isPlatform, platformCode, platformFromCode, PLATFORMS } from './platforms.js';

describe('platform codes', () => {
  it('never change, because stored rows contain them', () => {
    expect(PLATFORMS.map(platformCode)).toEqual([1, 2, 3, 4, 5]);
    expect(PLATFORMS.map(platformCode).map(platformFromCode)).toEqual(PLATFORMS);
  });

  it.each([0, 6, 1.5, Number.NaN])('throw for the unknown code %d', (code) => {
    expect(() => platformFromCode(code)).toThrow(`No platform has the code ${code}`);
  });

  it.each(['', 'Live_platform', 'live_platform ', 'gamedb', 'toString'])('isPlatform rejects %j', (value) => {
    expect(isPlatform(value)).toBe(false);
  });
});
