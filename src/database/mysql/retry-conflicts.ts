import { setTimeout as delay } from 'node:timers/promises';
import { QueryFailedError } from 'typeorm';
import { ConflictError, isConflict } from './mysql-connection.js';

/** Enough for several nodes that write the same rows all the time. */
const MAX_ATTEMPTS = 10;

/** Doubles with every attempt, and is spread at random: two that met shall not meet again. */
const FIRST_PAUSE_MS = 2;

/** Runs a transaction again while others come in between. @param deadline on the clock of `performance.now()` */
export async function retryConflicts<T>(transaction: () => Promise<T>, deadline = Infinity): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await transaction();
    } catch (error) {
      const pauseMs = Math.random() * FIRST_PAUSE_MS * 2 ** attempt;
      if (!wasConflict(error) || attempt === MAX_ATTEMPTS || performance.now() + pauseMs > deadline) throw error;
      await delay(pauseMs);
    }
  }
}

const wasConflict = (error: unknown): boolean =>
  error instanceof ConflictError || (error instanceof QueryFailedError && isConflict(error.driverError as Error));
