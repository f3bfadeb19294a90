import { readFile } from 'node:fs/promises';
import { OperatorError } from '../operator-error.js';

/** Columns of the report before the numbers of outcomes, and the number of outcomes. */
const [LABELS, OUTCOMES] = [5, 5];

/**
 * Checks that a new report does not replace a report that was written before records were pruned.
 * @param path of the CSV
 * @param created the new CSV
 * @throws OperatorError
 */
export async function requireNoUnprunedReport(path: string, created: string): Promise<void> {
  const stored = await readFile(path, 'utf8').catch(() => '');
  if (countDescribed(stored) <= countDescribed(created)) return;
  throw new OperatorError(
    'invalid_file',
    `${path} was written before records of this month were pruned, and says more: choose another folder, or pass --overwrite to replace it`,
  );
}

/** Counts the requests whose outcome a report has. Names of operations need no quotes. */
const countDescribed = (csv: string): number =>
  csv
    .split('\n')
    .filter((line) => /^[\d-]+,operation,/.test(line))
    .flatMap((line) => line.split(',').slice(LABELS, LABELS + OUTCOMES))
    .reduce((sum, count) => sum + Number(count), 0);
