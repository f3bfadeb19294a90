import type { OperationName } from '../model/operation.js';

export interface Cost {
  readonly quotaUnits: number;
  readonly credits: number;
}

export const NO_COST: Cost = { quotaUnits: 0, credits: 0 };

/** Amount of a charge. `item` charges each item. `request` charges once, credits only if data is returned. `record` is the minimum of
 * a page whose records have their own prices. */
export interface Charge {
  readonly amount: number;
  readonly per: 'item' | 'request' | 'record';
}

/** Price of an operation: quota units for the items requested, credits for the items returned. */
export interface Price {
  readonly units: Charge;
  readonly credits: Charge;
  /** Operations that have the prices of the returned records. The charges above are the minimum of a request. */
  readonly records?: readonly OperationName[];
}

const each = (amount: number): Charge => ({ amount, per: 'item' });
const whole = (amount: number): Charge => ({ amount, per: 'request' });
const none = each(0);

/** Price of a page of records that each cost what their look-up costs. */
const asLookUps = (...records: readonly OperationName[]): Price => ({
  units: { amount: 1, per: 'record' },
  credits: { amount: 0, per: 'record' },
  records,
});

/** Quota weights and marketplace credits, in the order of the API reference. */
export const PRICES: Readonly<Record<OperationName, Price>> = {
  'profiles.list': { units: each(1), credits: none },
  'profiles.batch': { units: each(1), credits: none },
  'profiles.lookup': { units: each(1), credits: whole(1) },
  'profiles.search': { units: each(1), credits: each(1) },
  'profiles.get': { units: whole(1), credits: none },
  'history.get': { units: whole(10), credits: whole(10) },
  'content.list': { units: each(1), credits: none },
  'content.batch': { units: each(1), credits: none },
  'content.get': { units: whole(1), credits: none },
  'content.by_profile': { units: each(1), credits: none },
  'content.by_game': { units: each(1), credits: none },
  'games.search': { units: each(1), credits: each(2) },
  'games.get': { units: whole(1), credits: none },
  'analysis.get': { units: whole(100), credits: whole(100) },
  'audience.get': { units: whole(100), credits: whole(100) },
  'socials.get': { units: whole(10), credits: whole(10) },
  'email.get': { units: whole(10), credits: none },
  'changes.list': asLookUps('profiles.get', 'content.get', 'analysis.get', 'audience.get', 'socials.get', 'email.get'),
  'games.changes': asLookUps('games.get'),
  'usage.get': { units: none, credits: none },
  unknown: { units: none, credits: none },
};

/** Returns whether an operation can cost more than a look-up. */
export function isExpensive(operation: OperationName): boolean {
  const { units, credits, records = [] } = PRICES[operation];
  return credits.amount > 0 || units.amount > 1 || records.some(isExpensive);
}

/** Computes the cost of a page of records, each at the price of a look-up; a page without records costs the least. */
export function computePageCost(operation: OperationName, lookUp: OperationName, records: number): Cost {
  const { units, credits } = PRICES[lookUp];
  return {
    quotaUnits: Math.max(PRICES[operation].units.amount, records * units.amount),
    credits: records * credits.amount,
  };
}

function computeCharge({ amount, per }: Charge, items: number): number {
  if (per === 'item') return amount * items;
  return items > 0 || per === 'record' ? amount : 0;
}

/**
 * Computes the cost of a request. Units are charged for a 200 and for a 404, which is a valid request without data; credits
 * are charged for data, so only for a 200.
 * @param itemsRequested the limit of a list, the distinct items of a batch, 1 otherwise
 */
export function computeCost(
  operation: OperationName,
  status: number,
  itemsRequested: number,
  itemsReturned: number,
): Cost {
  if (status !== 200 && status !== 404) return NO_COST;
  const { units, credits } = PRICES[operation];
  return {
    quotaUnits: computeCharge(units, itemsRequested),
    credits: status === 200 ? computeCharge(credits, itemsReturned) : 0,
  };
}
