import { createHash } from 'node:crypto';

/** Hexadecimal digits of a number after the month. Ten make two equal numbers in a month of 1,000 customers one in two million. */
const DIGITS = 10;

/**
 * Derives the number of an invoice: the month and the start of the SHA-256 of the customer. It needs no counter, so each run
 * gives the same number. With `--key` it differs if the customer has several keys.
 * @param month `2026-01` @param customer key ID, or what else identifies the customer
 */
export function formatInvoiceNumber(month: string, customer: string): string {
  return `${month}-${createHash('sha256').update(customer).digest('hex').slice(0, DIGITS).toUpperCase()}`;
}
