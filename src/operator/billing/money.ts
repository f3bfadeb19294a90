import Big from 'big.js';

/** Exact decimals: no amount is ever a float. */
export type Money = Big;

export const ZERO: Money = new Big(0);

/** A price: up to nine digits before and after the point, as text. */
export const DECIMAL = /^\d{1,9}(\.\d{1,9})?$/;

export const decimal = (text: string): Money => new Big(text);

export const times = (price: Money, count: number): Money => price.times(count);

export const sum = (amounts: Iterable<Money>): Money => {
  let total = ZERO;
  for (const amount of amounts) total = total.plus(amount);
  return total;
};

/** Rounds to the smallest coin of a currency, half away from zero, as invoices do. */
export const rounded = (amount: Money, digits: number): Money => amount.round(digits, Big.roundHalfUp);

/** Digits after the point that a currency has: 2 for EUR, 0 for JPY. */
export function digitsOf(currency: string): number {
  return new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2;
}

/** `1234.50`: for files. */
export const plain = (amount: Money, currency: string): string => amount.toFixed(digitsOf(currency));

/** `€1,234.50`: for people. The text goes in as it is: no float in between. */
export function formatted(amount: Money, currency: string): string {
  const exact = amount.toFixed(digitsOf(currency)) as Intl.StringNumericLiteral;
  return new Intl.NumberFormat('en', { style: 'currency', currency }).format(exact);
}
