import type { Rejected } from './batches.js';

/** How many reasons are told. */
const TOLD = 5;

/** Reasons can be as many as the lines: further ones are not counted, as none of them can be frequent. */
const MAX_COUNTED = 10_000;

/** A reason for rejection, and how many lines it was given for. */
export interface Reason {
  readonly reason: string;
  readonly lines: number;
}

/** Counts why lines are rejected. Positions in arrays do not count: `links[3].url` is `links[].url`. */
export class Reasons {
  readonly #lines = new Map<string, number>();

  add(rejected: readonly Rejected[]): void {
    for (const { reason } of rejected) {
      const kind = reason.replace(/\[\d+\]/g, '[]');
      const lines = this.#lines.get(kind) ?? 0;
      if (lines > 0 || this.#lines.size < MAX_COUNTED) this.#lines.set(kind, lines + 1);
    }
  }

  /** The most frequent ones. */
  top(): Reason[] {
    return Array.from(this.#lines, ([reason, lines]) => ({ reason, lines }))
      .sort((a, b) => b.lines - a.lines || (a.reason < b.reason ? -1 : 1))
      .slice(0, TOLD);
  }
}
