/** Number of reasons that are reported. */
const MAX_REPORTED = 5;

/** Maximum number of distinct reasons, which bounds memory. Reasons that first occur later are not counted. */
const MAX_COUNTED = 10_000;

/** A reason for rejection with the number of its lines. */
export interface RejectionReason {
  readonly reason: string;
  readonly lines: number;
}

/** Counts the reasons for rejection. Array indexes are removed: `links[3].url` counts as `links[].url`. */
export class RejectionReasons {
  readonly #lines: Map<string, number>;

  /** @param counted reasons of an interrupted import */
  constructor(counted: readonly RejectionReason[] = []) {
    this.#lines = new Map(counted.map(({ reason, lines }) => [reason, lines]));
  }

  /** @param rejected with the place in the document, such as a column, if the reason does not name it */
  add(rejected: readonly { readonly path?: string; readonly reason: string }[]): void {
    for (const { path, reason } of rejected) {
      const kind = (path === undefined ? reason : `${path}: ${reason}`).replace(/\[\d+\]/g, '[]');
      const lines = this.#lines.get(kind) ?? 0;
      if (lines > 0 || this.#lines.size < MAX_COUNTED) this.#lines.set(kind, lines + 1);
    }
  }

  /** Returns the most frequent reasons. */
  mostFrequent(limit = MAX_REPORTED): RejectionReason[] {
    return Array.from(this.#lines, ([reason, lines]) => ({ reason, lines }))
      .sort((a, b) => b.lines - a.lines || (a.reason < b.reason ? -1 : 1))
      .slice(0, limit);
  }
}
