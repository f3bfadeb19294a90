import { describe, expect, it } from '@jest/globals';
import {
  formatProcessStart,
  isOtherProcess,
  parseProcessStart,
  parseReadings,
  readProcessStart,
  type ProcessReadings,
} from './process-start.js';

const readings = (ticks: number | string, change: Partial<ProcessReadings> = {}): ProcessReadings => ({
  stat: `7 (a) b (c) S 1 7 7 0 -1 4194304 100 0 0 0 0 0 0 0 20 0 1 0 ${ticks} 3133440 389\n`,
  bootId: '0abe1144-0671-4962-a93f-228ffea15ac8\n',
  timeNamespace: 'time:[4026531834]',
  ...change,
});
const start = (...given: Parameters<typeof readings>) => parseReadings(readings(...given));

describe('the start of a process', () => {
  it('is read from /proc, and from a file name', async () => {
    const own = await readProcessStart(process.pid);
    expect(own).toEqual({ boot: expect.stringMatching(/^[0-9a-f]{8}$/), ticks: expect.any(Number) });
    expect(own && parseProcessStart(formatProcessStart(own))).toEqual(own);
    expect(start(514893)).toMatchObject({ ticks: 514893 });
  });

  it('is unknown without /proc, in an odd format, and in names of older versions', async () => {
    expect(parseReadings({ stat: '', bootId: '', timeNamespace: '' })).toBeNull();
    expect([start('x'), start(1, { stat: '7 (a) S' }), start(1, { bootId: '' })]).toEqual([null, null, null]);
    expect(await readProcessStart(2 ** 30)).toBeNull();
    expect(['', 'ff00ff00', 'ff00ff00.', '.1', 'ff00ff00.1.2'].map(parseProcessStart)).toEqual(Array(5).fill(null));
  });
});

describe('a running process', () => {
  it('is another one only if its ticks differ within a boot, or after a restart of the machine', () => {
    const isOther = (running: ReturnType<typeof start>, isUntouched: boolean) =>
      isOtherProcess(start(5), running, isUntouched);
    for (const isUntouched of [false, true]) {
      expect([isOther(start(5), isUntouched), isOther(start(6), isUntouched)]).toEqual([false, true]);
      for (const change of [{ bootId: 'another' }, { timeNamespace: 'time:[1]' }]) {
        expect(isOther(start(5, change), isUntouched)).toBe(isUntouched);
        expect(isOther(start(6, change), isUntouched)).toBe(isUntouched);
      }
    }
  });

  it('is not known to be another one if either start is unknown', () => {
    expect([isOtherProcess(null, start(5), true), isOtherProcess(start(5), null, true)]).toEqual([false, false]);
  });
});
