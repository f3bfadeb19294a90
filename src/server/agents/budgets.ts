import type { Clock } from '../../model/clock.js';

/** What a session may spend, and what it has spent or is about to. */
export interface Budget {
  readonly maxCredits: number;
  readonly spentCredits: number;
}

/** What became of a wish to spend. */
export interface Reservation extends Budget {
  readonly isGranted: boolean;
}

/** Sessions of a key; opening one more forgets its oldest. */
export const SESSIONS_OF_A_KEY = 100;

/** A session that is not used for this long is forgotten. */
export const SESSION_IDLE_MS = 24 * 3_600_000;

/**
 * The credits of sessions with a limit. A session that was forgotten is unknown: it cannot begin at zero again.
 * Every method throws StoreUnavailableError where the store of the budgets does not answer.
 */
export abstract class Budgets {
  abstract open(keyId: string, id: string, maxCredits: number): Promise<void>;
  /** Sets credits aside before a call, none to look. @returns null for a session that the key does not have */
  abstract reserve(keyId: string, id: string, credits: number): Promise<Reservation | null>;
  /** Refunds what a call did not cost. */
  abstract refund(keyId: string, id: string, credits: number): Promise<Budget | null>;
  abstract close(keyId: string, id: string): Promise<void>;
  /** Ends the connection to where they are kept. */
  abstract disconnect(): void;
}

/** Sessions of all keys in one process. */
const MOST_SESSIONS = 10_000;

interface Session {
  readonly keyId: string;
  readonly maxCredits: number;
  spentCredits: number;
  usedAt: number;
}

/** Budgets of a single process. */
export class ProcessBudgets extends Budgets {
  /** By ID, the oldest first. */
  readonly #sessions = new Map<string, Session>();

  constructor(private readonly clock: Clock) {
    super();
  }

  async open(keyId: string, id: string, maxCredits: number): Promise<void> {
    this.#makeRoom(keyId);
    this.#sessions.set(id, { keyId, maxCredits, spentCredits: 0, usedAt: this.clock.elapsed() });
  }

  async reserve(keyId: string, id: string, credits: number): Promise<Reservation | null> {
    const session = this.#find(keyId, id);
    if (session === null) return null;
    session.usedAt = this.clock.elapsed();
    const isGranted = credits === 0 || session.spentCredits + credits <= session.maxCredits;
    if (isGranted) session.spentCredits += credits;
    return { maxCredits: session.maxCredits, spentCredits: session.spentCredits, isGranted };
  }

  async refund(keyId: string, id: string, credits: number): Promise<Budget | null> {
    const session = this.#find(keyId, id);
    if (session === null) return null;
    session.usedAt = this.clock.elapsed();
    session.spentCredits -= credits;
    return { maxCredits: session.maxCredits, spentCredits: session.spentCredits };
  }

  async close(keyId: string, id: string): Promise<void> {
    if (this.#find(keyId, id) !== null) this.#sessions.delete(id);
  }

  disconnect(): void {
    this.#sessions.clear();
  }

  #find(keyId: string, id: string): Session | null {
    const session = this.#sessions.get(id);
    if (session === undefined || session.keyId !== keyId || this.#isOver(session)) return null;
    return session;
  }

  #isOver({ usedAt }: Session): boolean {
    return this.clock.elapsed() - usedAt >= SESSION_IDLE_MS;
  }

  #makeRoom(keyId: string): void {
    const own: string[] = [];
    for (const [id, session] of this.#sessions) {
      if (this.#isOver(session)) this.#sessions.delete(id);
      else if (session.keyId === keyId) own.push(id);
    }
    const [ownOldest] = own;
    const [oldest] = this.#sessions.keys();
    const leaving =
      own.length >= SESSIONS_OF_A_KEY ? ownOldest : this.#sessions.size >= MOST_SESSIONS ? oldest : undefined;
    if (leaving !== undefined) this.#sessions.delete(leaving);
  }
}
