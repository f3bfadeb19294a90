import type { OperationName } from '../model/operation.js';

export interface Cost {
  readonly quotaUnits: number;
  readonly credits: number;
}

export const NO_COST: Cost = { quotaUnits: 0, credits: 0 };

/** Amount per item, or per request with at least one item. */
export interface Charge {
  readonly amount: number;
  readonly per: 'item' | 'request';
}

/** Price of an operation: quota units for the items requested, credits for the items returned. */
export interface Price {
  readonly units: Charge;
  readonly credits: Charge;
}

const each = (amount: number): Charge => ({ amount, per: 'item' });
const whole = (amount: number): Charge => ({ amount, per: 'request' });
const none = each(0);

/** Quota weights and marketplace credits, in the order of the API reference. */
export const PRICES: Readonly<Record<OperationName, Price>> = {
  'profiles.list': { units: each(1), credits: none },
  'profiles.batch': { units: each(1), credits: none },
  'profiles.lookup': { units: each(1), credits: whole(1) },
  'profiles.get': { units: whole(1), credits: none },
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
  'usage.get': { units: none, credits: none },
  unknown: { units: none, credits: none },
};

/** Returns whether an operation can cost more than a look-up. */
export const isExpensive = (operation: OperationName): boolean =>
  PRICES[operation].credits.amount > 0 || PRICES[operation].units.amount > 1;

function computeCharge({ amount, per }: Charge, items: number): number {
  if (per === 'item') return amount * items;
  return items > 0 ? amount : 0;
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
