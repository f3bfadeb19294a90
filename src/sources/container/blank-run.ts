/** Limit of consecutive blank bytes. A small compressed file can expand to gigabytes of them. */
const MAX_BLANK_BYTES = 1024 * 1024;

/** Counts consecutive bytes without a value: blank lines, or separators between values. */
export class BlankRun {
  #bytes = 0;

  /** Resets the count, because a value begins. */
  reset(): void {
    this.#bytes = 0;
  }

  /**
   * Counts bytes without a value.
   *
   * @param line the line of these bytes, from 1
   * @throws Error beyond the limit
   */
  add(bytes: number, line: number): void {
    this.#bytes += bytes;
    if (this.#bytes > MAX_BLANK_BYTES) throw new Error(`line ${line}: more than 1 MiB of blank lines in a row`);
  }
}
