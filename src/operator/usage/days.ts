import type { Command } from 'commander';
import { dayNumberOf } from '../../receipts/usage-record.js';
import { date } from '../arguments.js';
import { OperatorError } from '../operator-error.js';
import type { Days } from './usage-summary.js';

/** The options `--from` and `--to`. */
export interface GivenDays {
  readonly from: string;
  readonly to: string;
}

/** Adds `--from` and `--to`. */
export function withDays(command: Command): Command {
  return command
    .requiredOption('--from <date>', 'first UTC day', date)
    .requiredOption('--to <date>', 'last UTC day, inclusive', date);
}

/** Converts the options to a range of days. @throws OperatorError if `--from` is later than `--to` */
export function daysOf({ from, to }: GivenDays): Days {
  if (to < from) {
    throw new OperatorError('invalid_arguments', `--from ${from} is later than --to ${to}: swap them`);
  }
  return { from: dayNumberOf(from), to: dayNumberOf(to) };
}
