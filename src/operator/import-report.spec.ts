import { describe, expect, it } from '@jest/globals';
import { formatReasons } from './import-report.js';

describe('the reasons of rejected lines', () => {
  const reasons = [{ reason: 'not JSON', lines: 1200 }];

  it('end with the number of lines that were rejected for other reasons', () => {
    expect(formatReasons(reasons, 1207)).toEqual(['  1,200 × not JSON', '  7 for other reasons']);
  });

  it.each([1200, 1])('are listed alone if they count %d lines', (rejected) => {
    expect(formatReasons(reasons, rejected)).toEqual(['  1,200 × not JSON']);
  });
});
