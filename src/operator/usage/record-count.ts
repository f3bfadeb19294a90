import { formatCount } from '../../model/counts.js';

/** Describes how many records are of test keys, to follow the number of all; empty if none is. */
export const describeTestRecords = (testRecords: number): string =>
  testRecords === 0 ? '' : `, ${formatCount(testRecords)} of them of test keys, which are not billed`;
