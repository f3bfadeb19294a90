import { sumUsage, type UsageSums } from '../../features/quota/usage-sums.js';
import { OperatorError } from '../operator-error.js';
import { describeMissingKeys, findMissingKeys } from '../usage/missing-keys.js';
import type { SummaryLine } from '../usage/usage-summary.js';
import type { OperationName } from '../../model/operation.js';
import { fractionDigits, round, sum, multiply, ZERO, type Money } from './money.js';
import { formatInvoiceNumber } from './invoice-number.js';
import { findUnitPrices, type PriceList, type UnitPrices } from './price-list.js';

/** A line of a bill. Its amount is rounded, so that the printed lines add up to the total. */
export interface BillLine extends UsageSums {
  /** Null for the tax of several keys. */
  readonly keyId: string | null;
  /** The operation, fee or tax. */
  readonly item: string;
  readonly kind: 'usage' | 'fee' | 'tax';
  /** Null for a fee or tax, and without prices. */
  readonly unitPrices: UnitPrices | null;
  /** Zero without prices. */
  readonly amount: Money;
}

/** The bill of a customer, who may have several keys. */
export interface CustomerBill {
  readonly name: string;
  /** The billed keys, at least one, sorted by name. */
  readonly keys: readonly BilledKey[];
  /** Null without prices: a list of usage is no invoice. */
  readonly invoiceNumber: string | null;
  readonly billTo: readonly string[];
  readonly lines: readonly BillLine[];
  readonly usage: UsageSums;
  readonly net: Money;
  readonly gross: Money;
}

/** Bill of a month. */
export interface Bill {
  readonly month: string;
  readonly prices: PriceList | null;
  /** Sorted by name. */
  readonly customers: readonly CustomerBill[];
  /** Requests without a valid key, which are free; null in the bill of one key. */
  readonly withoutKey: UsageSums | null;
  /** Sum of `customers` and `withoutKey`. */
  readonly usage: UsageSums;
  readonly net: Money;
  readonly gross: Money;
}

/** A key that can be billed. */
export interface BilledKey {
  readonly id: string;
  readonly name: string;
  /** Null: the key is its own customer, under its name. */
  readonly customer: string | null;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  /** When the key was revoked or expired; `Infinity`: it is valid for ever. */
  readonly endedAt: number;
}

/** A calendar month in UTC. */
export interface BillingMonth {
  /** `2026-01` */
  readonly month: string;
  readonly firstMs: number;
  readonly lastMs: number;
}

/**
 * Creates the bill of a month.
 * @param usage by key and operation
 * @param keys to bill
 * @param includesAllKeys whether `keys` are all keys; the bill then lists requests without a valid key as well
 * @throws OperatorError if a key with usage is not among `keys`: the bill would lack its usage
 */
export function createBill(
  month: BillingMonth,
  usage: readonly SummaryLine[],
  keys: readonly BilledKey[],
  includesAllKeys: boolean,
  prices: PriceList | null,
): Bill {
  const usageByKey = new Map<string, SummaryLine[]>();
  for (const line of usage) {
    const [key = ''] = line.group;
    usageByKey.set(key, [...(usageByKey.get(key) ?? []), line]);
  }
  const missing = findMissingKeys(usageByKey.keys(), new Set(keys.map(({ id }) => id)));
  if (missing.length > 0) {
    throw new OperatorError(
      'failed',
      `the invoices of ${month.month} would be incomplete: ${describeMissingKeys(missing)}: ` +
        'restore the keys from a backup, or write the invoice of a stored key with --key',
    );
  }
  const charged = keys.flatMap((key) => {
    const keyUsage = usageByKey.get(key.id) ?? [];
    const fee = wasValidDuring(key, month) ? (prices?.keys?.[key.id]?.monthly_fee ?? ZERO) : ZERO;
    return keyUsage.length > 0 || fee.gt(0) ? [{ key, usage: keyUsage, fee }] : [];
  });
  const customers = groupByCustomer(charged, keys).map((group) => billCustomer(month.month, group, prices));
  const withoutKey = includesAllKeys ? sumUsage(usageByKey.get('') ?? []) : null;
  return {
    month: month.month,
    prices,
    customers: customers.sort((a, b) => a.name.localeCompare(b.name) || (keyIdOf(a) < keyIdOf(b) ? -1 : 1)),
    withoutKey,
    usage: sumUsage([...customers.map((customer) => customer.usage), ...(withoutKey === null ? [] : [withoutKey])]),
    net: sum(customers.map(({ net }) => net)),
    gross: sum(customers.map(({ gross }) => gross)),
  };
}

const wasValidDuring = ({ createdAt, endedAt }: BilledKey, { firstMs, lastMs }: BillingMonth): boolean =>
  createdAt <= lastMs && endedAt > firstMs;

const keyIdOf = ({ keys: [key] }: CustomerBill): string => key?.id ?? '';

/** What a key owes for a month. */
interface ChargedKey {
  readonly key: BilledKey;
  readonly usage: readonly SummaryLine[];
  readonly fee: Money;
}

/** Returns the keys that the bill of a customer has. */
export const keysOfCustomer = (keys: readonly BilledKey[], wanted: string): BilledKey[] =>
  keys.filter(({ customer, name }) => (customer ?? name) === wanted);

/** Groups keys by customer. A key without a customer joins the customer that has the key's name. Without such a customer, each key has
 * its own bill, even if two keys have one name. */
function groupByCustomer(charged: readonly ChargedKey[], keys: readonly BilledKey[]): ChargedKey[][] {
  const customers = new Set(keys.flatMap(({ customer }) => customer ?? []));
  const groups = new Map<string, ChargedKey[]>();
  for (const each of charged.toSorted((a, b) => compareKeys(a.key, b.key))) {
    const { id, name, customer } = each.key;
    const group = customer ?? (customers.has(name) ? name : `key ${id}`);
    groups.set(group, [...(groups.get(group) ?? []), each]);
  }
  return [...groups.values()];
}

const compareKeys = (a: BilledKey, b: BilledKey): number => a.name.localeCompare(b.name) || (a.id < b.id ? -1 : 1);

const NO_USAGE = sumUsage([]);

function billCustomer(month: string, charged: readonly ChargedKey[], prices: PriceList | null): CustomerBill {
  const digits = prices === null ? 0 : fractionDigits(prices.currency);
  const lines = charged.flatMap((each) => billKey(each, prices, digits));
  const keys = charged.map(({ key }) => key);
  const [first] = keys;
  const name = first?.customer ?? first?.name ?? '';
  const keyId = keys.length === 1 ? (first?.id ?? null) : null;
  const usage = sumUsage(lines);
  const net = sum(lines.map(({ amount }) => amount));
  const tax = prices?.tax;
  if (tax !== undefined) {
    const amount = round(net.times(tax.percent).div(100), digits);
    const item = `${tax.name} ${tax.percent.toString()} %`;
    lines.push({ keyId, item, kind: 'tax', ...NO_USAGE, unitPrices: null, amount });
  }
  const gross = sum(lines.map(({ amount }) => amount));
  const billTo = keys.map(({ id }) => prices?.keys?.[id]?.bill_to).find((recipient) => recipient !== undefined);
  // The bill of one key has another number than that of all keys of its customer.
  const invoiceNumber = prices === null ? null : formatInvoiceNumber(month, keyId ?? name);
  return { name, keys, invoiceNumber, billTo: billTo ?? [name], lines, usage, net, gross };
}

function billKey({ key: { id }, usage, fee }: ChargedKey, prices: PriceList | null, digits: number): BillLine[] {
  const lines: BillLine[] = usage.map(({ group: [, operation = ''], ...sums }) => {
    const unitPrices = prices && findUnitPrices(prices, id, operation as OperationName);
    const amount = unitPrices === null ? ZERO : round(priceOf(unitPrices, sums), digits);
    return { keyId: id, item: operation, kind: 'usage', ...sums, unitPrices, amount };
  });
  if (fee.gt(0)) {
    const amount = round(fee, digits);
    lines.push({ keyId: id, item: 'monthly fee', kind: 'fee', ...NO_USAGE, unitPrices: null, amount });
  }
  return lines;
}

const priceOf = (prices: UnitPrices, sums: UsageSums): Money =>
  sum([
    multiply(prices.request, sums.requests),
    multiply(prices.unit, sums.quota_units),
    multiply(prices.credit, sums.credits),
  ]);
