import type { Command } from 'commander';
import { parseDayNumber } from '../../receipts/usage-record.js';
import { parseDate, parseMonth } from '../arguments.js';
import { calendarMonth } from '../billing/month.js';
import { OperatorError } from '../operator-error.js';
import type { DayRange } from './usage-summary.js';

/** The options `--month`, `--from` and `--to`. */
export interface DayRangeOptions {
  readonly month?: string;
  readonly from?: string;
  readonly to?: string;
}

/** Adds `--month`, `--from` and `--to`. */
export function addDayRangeOptions(command: Command): Command {
  return command
    .option('--month <month>', 'UTC month, such as 2026-01', parseMonth)
    .option('--from <date>', 'first UTC day', parseDate)
    .option('--to <date>', 'last UTC day, inclusive', parseDate);
}

/** Converts the options to a range of days. @throws OperatorError unless they are a month, or two days in order */
export function parseDayRange({ month, from, to }: DayRangeOptions): DayRange {
  if (month !== undefined && from === undefined && to === undefined) return calendarMonth(month);
  if (month !== undefined || from === undefined || to === undefined) {
    throw new OperatorError('invalid_arguments', 'name the days: either --month, or --from and --to');
  }
  if (to < from) {
    throw new OperatorError('invalid_arguments', `--from ${from} is later than --to ${to}: swap them`);
  }
  return { from: parseDayNumber(from), to: parseDayNumber(to) };
}
