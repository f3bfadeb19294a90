import { setTimeout as delay } from 'node:timers/promises';
import { QueryFailedError } from 'typeorm';
import { ConflictError, isConflict } from './mysql-connection.js';

/** Enough attempts for several nodes that constantly write the same rows. */
const MAX_ATTEMPTS = 10;

/** Base of the exponential backoff. Its jitter keeps two conflicting transactions from conflicting again. */
const BASE_DELAY_MS = 2;

/** Runs a transaction, and retries it after a conflict with another one. @param deadline on the clock of `performance.now()` */
export async function retryConflicts<T>(transaction: () => Promise<T>, deadline = Infinity): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await transaction();
    } catch (error) {
      const delayMs = Math.random() * BASE_DELAY_MS * 2 ** attempt;
      if (!isConflictError(error) || attempt === MAX_ATTEMPTS || performance.now() + delayMs > deadline) throw error;
      await delay(delayMs);
    }
  }
}

const isConflictError = (error: unknown): boolean =>
  error instanceof ConflictError || (error instanceof QueryFailedError && isConflict(error.driverError as Error));
