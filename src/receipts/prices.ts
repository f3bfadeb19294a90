import type { OperationName } from '../model/operation.js';

/** What an answer costs its caller. */
export interface Cost {
  readonly quotaUnits: number;
  readonly credits: number;
}

export const NO_COST: Cost = { quotaUnits: 0, credits: 0 };

/** An amount for each item, or one for the request where there is any item. */
export interface Rate {
  readonly amount: number;
  readonly per: 'item' | 'request';
}

/** What an operation costs. Units are charged for what a valid request asks for, credits for what it gets. */
export interface Price {
  /** Items are those asked for: the limit of a list, the distinct items of a batch, 1 otherwise. */
  readonly units: Rate;
  /** Items are those returned. */
  readonly credits: Rate;
}

const each = (amount: number): Rate => ({ amount, per: 'item' });
const whole = (amount: number): Rate => ({ amount, per: 'request' });
const none = each(0);

/** The reference's quota weights and marketplace credits, row by row. */
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

/** Whether an operation may cost more than a look-up. */
export const isExpensive = (operation: OperationName): boolean =>
  PRICES[operation].credits.amount > 0 || PRICES[operation].units.amount > 1;

function charge({ amount, per }: Rate, items: number): number {
  if (per === 'item') return amount * items;
  return items > 0 ? amount : 0;
}

/**
 * Units are charged for 200 and 404 (a valid request, no data); credits are for data, so 200 only.
 * @param itemsAskedFor the limit of a list, the distinct items of a batch, 1 otherwise
 */
export function costOf(operation: OperationName, status: number, itemsAskedFor: number, itemsReturned: number): Cost {
  if (status !== 200 && status !== 404) return NO_COST;
  const { units, credits } = PRICES[operation];
  return { quotaUnits: charge(units, itemsAskedFor), credits: status === 200 ? charge(credits, itemsReturned) : 0 };
}
