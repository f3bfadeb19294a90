import { countOf } from '../../model/counts.js';
import type { OperationName } from '../../model/operation.js';
import { computeCost, PRICES } from '../../receipts/prices.js';

/** Describes the price of an operation. Derived from computed costs, so that it matches what is charged. */
export function describePrice(operation: OperationName): string {
  const { records } = PRICES[operation];
  if (records !== undefined)
    return `for each record returned the price of ${records.join(' or ')}, and at least 1 unit`;
  const one = computeCost(operation, 200, 1, 1);
  const two = computeCost(operation, 200, 2, 2);
  if (two.quotaUnits === 0 && two.credits === 0) return 'free';
  const units = countOf(one.quotaUnits, 'unit');
  const credits = countOf(one.credits, 'credit');
  return [
    two.quotaUnits > one.quotaUnits ? `${units} for each item asked for` : units,
    two.credits > one.credits ? `${credits} for each item returned` : credits,
  ].join(', ');
}
