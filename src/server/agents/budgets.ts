import type { Clock } from '../../model/clock.js';

/** Credits of a session. */
export interface Budget {
  readonly maxCredits: number;
  /** Includes reserved credits. */
  readonly spentCredits: number;
}

/** Result of a reservation, with the budget after it. */
export interface CreditReservation extends Budget {
  readonly isGranted: boolean;
}

/** Maximum sessions of a key; opening another one ends the oldest. */
export const MAX_SESSIONS_PER_KEY = 100;

/** Time without use after which a session ends. */
export const SESSION_IDLE_MS = 24 * 3_600_000;

/**
 * Credits of sessions with a limit. An ended session is unknown, so it cannot restart at zero.
 * Every method throws StoreUnavailableError if the store of the budgets is unreachable.
 */
export abstract class Budgets {
  abstract open(keyId: string, id: string, maxCredits: number): Promise<void>;
  /** Reserves credits before a call; 0 reads the budget. @returns null for an unknown session, or one of another key */
  abstract reserve(keyId: string, id: string, credits: number): Promise<CreditReservation | null>;
  /** Refunds reserved credits that a call did not spend. */
  abstract refund(keyId: string, id: string, credits: number): Promise<Budget | null>;
  abstract close(keyId: string, id: string): Promise<void>;
  /** Disconnects from the store of the budgets. */
  abstract disconnect(): void;
}

/** Maximum sessions of all keys in one process. */
const MAX_SESSIONS = 10_000;

interface Session {
  readonly keyId: string;
  readonly maxCredits: number;
  spentCredits: number;
  usedAt: number;
}

/** Budgets in the memory of a single process. */
export class ProcessBudgets extends Budgets {
  /** Sessions by ID, oldest first. */
  readonly #sessions = new Map<string, Session>();

  constructor(private readonly clock: Clock) {
    super();
  }

  async open(keyId: string, id: string, maxCredits: number): Promise<void> {
    this.#makeRoom(keyId);
    this.#sessions.set(id, { keyId, maxCredits, spentCredits: 0, usedAt: this.clock.elapsed() });
  }

  async reserve(keyId: string, id: string, credits: number): Promise<CreditReservation | null> {
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
    const evicted =
      own.length >= MAX_SESSIONS_PER_KEY ? ownOldest : this.#sessions.size >= MAX_SESSIONS ? oldest : undefined;
    if (evicted !== undefined) this.#sessions.delete(evicted);
  }
}
