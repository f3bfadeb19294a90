import type { Command } from 'commander';
import { parseDayNumber } from '../../receipts/usage-record.js';
import { parseDate } from '../arguments.js';
import { OperatorError } from '../operator-error.js';
import type { DayRange } from './usage-summary.js';

/** The options `--from` and `--to`. */
export interface DayRangeOptions {
  readonly from: string;
  readonly to: string;
}

/** Adds `--from` and `--to`. */
export function addDayRangeOptions(command: Command): Command {
  return command
    .requiredOption('--from <date>', 'first UTC day', parseDate)
    .requiredOption('--to <date>', 'last UTC day, inclusive', parseDate);
}

/** Converts the options to a range of days. @throws OperatorError if `--from` is later than `--to` */
export function parseDayRange({ from, to }: DayRangeOptions): DayRange {
  if (to < from) {
    throw new OperatorError('invalid_arguments', `--from ${from} is later than --to ${to}: swap them`);
  }
  return { from: parseDayNumber(from), to: parseDayNumber(to) };
}
