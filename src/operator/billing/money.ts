import Big from 'big.js';

/** An exact decimal. Amounts are never floating-point numbers. */
export type Money = Big;

export const ZERO: Money = new Big(0);

/** Pattern of a price: up to nine digits before and after the decimal point. */
export const DECIMAL = /^\d{1,9}(\.\d{1,9})?$/;

export const parsePrice = (text: string): Money => new Big(text);

export const multiply = (price: Money, count: number): Money => price.times(count);

export const sum = (amounts: Iterable<Money>): Money => {
  let total = ZERO;
  for (const amount of amounts) total = total.plus(amount);
  return total;
};

/** Rounds an amount half up. @param digits after the decimal point */
export const round = (amount: Money, digits: number): Money => amount.round(digits, Big.roundHalfUp);

/** Returns the decimal places of a currency: 2 for EUR, 0 for JPY. */
export function fractionDigits(currency: string): number {
  return new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2;
}

/** Formats an amount for files: `1234.50`. */
export const formatDecimal = (amount: Money, currency: string): string => amount.toFixed(fractionDigits(currency));

/** Formats a price for people: with all its decimal places, such as `€0.0004`. */
export function formatPrice(price: Money, currency: string): string {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency, maximumFractionDigits: 9 });
  return format.format(price.toFixed() as Intl.StringNumericLiteral);
}

/** Formats an amount for people: `€1,234.50`. The decimal text is passed on, so no float loses digits. */
export function formatAmount(amount: Money, currency: string): string {
  const exact = amount.toFixed(fractionDigits(currency)) as Intl.StringNumericLiteral;
  return new Intl.NumberFormat('en', { style: 'currency', currency }).format(exact);
}
