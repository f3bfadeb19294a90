import * as z from 'zod';
import { OPERATIONS, type OperationName } from '../../model/operation.js';
import { OperatorError } from '../operator-error.js';
import { readSmallFile } from '../read-small-file.js';
import { DECIMAL, parsePrice, ZERO, type Money } from './money.js';

const EXPECTED_DECIMAL = 'must be a decimal as text, such as "0.015", with at most 9 digits on each side of the point';

const price = z.string(EXPECTED_DECIMAL).regex(DECIMAL, EXPECTED_DECIMAL).transform(parsePrice);

/** Price of a request, unit and credit. A missing price falls back to the next more general rates, and finally to 0. */
const rates = z.strictObject(
  { request: price.optional(), unit: price.optional(), credit: price.optional() },
  'must be an object, such as {"credit": "0.005"}',
);

const byOperation = z.partialRecord(z.enum(OPERATIONS, `must be one of ${OPERATIONS.join(', ')}`), rates);

const lines = z.array(z.string().max(200)).max(20);

const pricesSchema = z.strictObject({
  currency: z
    .string('must be a currency code, such as "EUR"')
    .refine((code) => Intl.supportedValuesOf('currency').includes(code), 'must be a currency code, such as "EUR"'),
  rates,
  operations: byOperation.optional(),
  /** By key ID. */
  keys: z
    .record(
      z.string(),
      z.strictObject({
        monthly_fee: price.optional(),
        rates: rates.optional(),
        operations: byOperation.optional(),
        /** Recipient of the bill; by default the name of the key. */
        bill_to: lines.optional(),
      }),
    )
    .optional(),
  tax: z.strictObject({ name: z.string().min(1).max(50), percent: price }).optional(),
  /** Sender of the bill. */
  issuer: lines.optional(),
  note: z.string().max(2000).optional(),
});

/** A validated price list. */
export type PriceList = z.output<typeof pricesSchema>;

type Rate = keyof z.output<typeof rates>;

/** Reads and validates a price list. @throws OperatorError that names file and member */
export async function readPriceList(file: string): Promise<PriceList> {
  let value: unknown;
  const text = await readSmallFile(file);
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new OperatorError('invalid_file', `${file} is not JSON: ${(error as Error).message}`);
  }
  return parsePriceList(value, file);
}

/** Validates a price list. @param file its name in error messages */
export function parsePriceList(value: unknown, file: string): PriceList {
  const parsed = pricesSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const { issues } = parsed.error;
  // A misspelt member is also a missing one; its name helps more.
  const issue = issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0];
  const path = (issue?.path ?? []).map(String).join('.');
  const known = path.endsWith('operations') ? `; the operations are ${OPERATIONS.join(', ')}` : '';
  const problem =
    issue?.code === 'unrecognized_keys'
      ? `unknown member ${issue.keys.join(', ')}${known}`
      : (issue?.message ?? 'not valid');
  throw new OperatorError('invalid_file', `${file}: ${path === '' ? '' : `${path}: `}${problem}`);
}

/** Prices of a request, a unit and a credit. */
export type UnitPrices = Readonly<Record<Rate, Money>>;

/** Finds the prices of an operation for a key: for each, the most specific rate in the list. */
export function findUnitPrices(prices: PriceList, keyId: string, operation: OperationName): UnitPrices {
  const price = (rate: Rate) => findRate(prices, keyId, operation, rate);
  return { request: price('request'), unit: price('unit'), credit: price('credit') };
}

function findRate(prices: PriceList, keyId: string, operation: OperationName, rate: Rate): Money {
  const keyPrices = prices.keys?.[keyId];
  return (
    keyPrices?.operations?.[operation]?.[rate] ??
    keyPrices?.rates?.[rate] ??
    prices.operations?.[operation]?.[rate] ??
    prices.rates[rate] ??
    ZERO
  );
}
