/** Functions that read pages of rows. */
export interface RowPages<R> {
  /** Reads the rows after a row, and one more than `limit` if there are more. */
  readonly read: (after: R | null) => Promise<R[]>;
  /** Frees a page whose rows were all taken; it may be called with rows that own no memory. */
  readonly free: (rows: readonly R[]) => void;
  readonly idOf: (row: R) => string;
  readonly limit: number;
}

/** Reads rows in the ascending order of an ID, page by page, so that several tables can be joined without look-ups by ID. */
export class SortedRows<R> {
  #rows: readonly R[] = [];
  #at = 0;
  #after: R | null = null;
  #isAtEnd = false;

  constructor(private readonly pages: RowPages<R>) {}

  /** Reads the next rows up to an ID. @param take uses a row, whose document may be gone after the next one */
  async readUpTo(lastId: string, take: (id: string, row: R) => void): Promise<void> {
    for (;;) {
      for (; this.#at < this.#rows.length; this.#at += 1) {
        const row = this.#rows[this.#at] as R;
        const id = this.pages.idOf(row);
        if (isAfter(id, lastId)) return;
        take(id, row);
      }
      if (this.#isAtEnd) return;
      await this.#readNext();
    }
  }

  async #readNext(): Promise<void> {
    this.pages.free(this.#rows);
    const rows = await this.pages.read(this.#after);
    this.#isAtEnd = rows.length <= this.pages.limit;
    this.#rows = rows;
    this.#at = 0;
    this.#after = rows.at(-1) ?? null;
  }
}

/** Compares by UTF-8 bytes, as the database does. */
function isAfter(id: string, other: string): boolean {
  return Buffer.compare(Buffer.from(id), Buffer.from(other)) > 0;
}
