import { describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { aUsageRecord } from '../../test/support/records/builders.js';
import { findIntactEntry, isUnfinishedWrite } from './damaged-entries.js';
import { encodeEntry, END_OF_ENTRIES } from './outage-entry.js';

const ENTRY = encodeEntry([{ id: 'a', day: 20260131, records: [aUsageRecord({ request_id: 'a' })] }]);

const search = (bytes: Buffer, stopsAtEndMark: boolean, end = bytes.length) =>
  findIntactEntry(async (at, length) => bytes.subarray(at, at + length), 0, end, stopsAtEndMark);

describe('the search for an intact entry', () => {
  it.each([0, 1, 65_528, 65_535, 65_536, 200_001])('finds one after %d damaged bytes', async (length) => {
    const bytes = Buffer.concat([randomBytes(length), ENTRY, END_OF_ENTRIES]);
    expect(await search(bytes, false)).toEqual({ offset: length, isIntact: true });
  });

  it('stops at an end mark if it must, because what follows may be older', async () => {
    const bytes = Buffer.concat([Buffer.alloc(5, 255), END_OF_ENTRIES, ENTRY]);
    expect(await search(bytes, true)).toEqual({ offset: 5, isIntact: false });
    expect(await search(bytes, false)).toEqual({ offset: 13, isIntact: true });
  });

  it('does not find an entry that is cut', async () => {
    const end = ENTRY.length - 1;
    expect(await search(ENTRY, true, end)).toEqual({ offset: end, isIntact: false });
  });
});

describe('an unfinished write', () => {
  it.each([
    [512, 600, true],
    [505, 600, true],
    [504, 600, false],
    [513, 2000, false],
    [1024, 2000, true],
    // All sectors of the entry were written.
    [512, 512, false],
    [510, 511, false],
    [600, 600, false],
  ])('with data up to %d of an entry up to %d: %s', (dataEnd, entryEnd, expected) => {
    expect(isUnfinishedWrite(dataEnd, entryEnd)).toBe(expected);
  });
});
