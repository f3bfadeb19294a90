import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { isCalendarDate } from '../../model/calendar-date.js';
import { OperatorError } from '../operator-error.js';

/** Files of a bill. */
export interface BillFiles {
  readonly csv: string;
  readonly page: string;
}

/** A bill that an earlier run wrote; a missing file is null. */
export type StoredBill = Readonly<Record<keyof BillFiles, string | null>>;

/** Reads the bill at two paths. */
export async function readStoredBill({ csv, page }: BillFiles): Promise<StoredBill> {
  return { csv: await readIfPresent(csv), page: await readIfPresent(page) };
}

const readIfPresent = (path: string): Promise<string | null> => nullIfMissing(readFile(path, 'utf8'));

async function nullIfMissing<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading;
  } catch (error) {
    // With ENOTDIR, the folder is a file: `createFolder` explains that.
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error;
  }
}

/** Returns the date of a final bill, which a second run keeps; null if there is none. */
export function findIssueDate(stored: StoredBill): string | null {
  const date = /<meta name="date" content="([\d-]+)"/.exec(stored.page ?? '')?.[1] ?? '';
  return isPreliminary(stored) || !isCalendarDate(date) ? null : date;
}

/** Checks that a new bill does not replace a different one. A preliminary bill may be replaced. @throws OperatorError */
export function requireSameBill(stored: StoredBill, created: BillFiles, paths: BillFiles): void {
  if (isPreliminary(stored)) return;
  for (const kind of ['csv', 'page'] as const) {
    if (stored[kind] === null || stored[kind] === created[kind]) continue;
    throw new OperatorError(
      'invalid_file',
      `${paths[kind]} is a different bill of this month: choose another folder, or pass --overwrite to replace it`,
    );
  }
}

/**
 * Finds a final bill of the same month in other files of a folder, such as that of one customer beside that of all, which
 * charges one of the invoices differently.
 * @param name file of `csv`, the new bill
 * @returns the file and the invoice number; null if there is none
 */
export async function findContradictingBill(folder: string, name: string, csv: string) {
  const created = chargesOf(csv, name);
  const ofMonth = name.slice(0, 'invoice-YYYY-MM'.length);
  for (const file of ((await nullIfMissing(readdir(folder))) ?? []).sort()) {
    if (file === name || !file.startsWith(ofMonth) || !file.endsWith('.csv')) continue;
    const path = join(folder, file);
    const stored = chargesOf((await readIfPresent(path)) ?? '', path);
    for (const [number, charges] of stored) {
      if (created.has(number) && created.get(number) !== charges) return { path, number };
    }
  }
  return null;
}

/** Returns the lines of each final invoice of a bill, as text, by number. @throws OperatorError unless it is CSV */
function chargesOf(csv: string, path: string): Map<string, string> {
  const charges = new Map<string, string>();
  for (const { invoice_number: number = '', key_id, item, quota_units, credits, currency, amount } of rowsOf(
    csv,
    path,
  )) {
    if (number === '') continue;
    charges.set(
      number,
      `${charges.get(number) ?? ''}${[key_id, item, quota_units, credits, currency, amount].join()}\n`,
    );
  }
  return charges;
}

function rowsOf(csv: string, path: string): Record<string, string>[] {
  try {
    return parse<Record<string, string>>(csv, { columns: true, relax_column_count: true });
  } catch (error) {
    throw new OperatorError('invalid_file', `${path} is no bill: ${(error as Error).message}; choose another folder`);
  }
}

/** Older versions wrote the status only to the CSV, as its last column. */
const isPreliminary = ({ csv, page }: StoredBill): boolean =>
  /<meta name="status" content="preliminary"/.test(page ?? '') || /,preliminary(,[\w-]*)?$/m.test(csv ?? '');
