import type { OperationName } from '../model/operation.js';

/** What an answer costs its caller. */
export interface Cost {
  readonly quotaUnits: number;
  readonly credits: number;
}

export const NO_COST: Cost = { quotaUnits: 0, credits: 0 };

/** What an operation costs. Units are charged for what a valid request asks for, credits for what it gets. */
interface Price {
  /** @param itemsAskedFor the limit of a list, the distinct items of a batch, 1 otherwise */
  readonly units: (itemsAskedFor: number) => number;
  readonly credits: (itemsReturned: number) => number;
}

const each = (price: number) => (items: number) => items * price;
const whole = (price: number) => (items: number) => (items > 0 ? price : 0);
const none = () => 0;

/** The reference's quota weights and marketplace credits, row by row. */
const PRICES: Readonly<Record<OperationName, Price>> = {
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

/** Units are charged for 200 and 404 (a valid request, no data); credits are for data, so 200 only. */
export function costOf(operation: OperationName, status: number, itemsAskedFor: number, itemsReturned: number): Cost {
  if (status !== 200 && status !== 404) return NO_COST;
  const { units, credits } = PRICES[operation];
  return { quotaUnits: units(itemsAskedFor), credits: status === 200 ? credits(itemsReturned) : 0 };
}
