/** The most blank lines in a row: packed, a thousand times as many would be a small file. */
const MAX_BLANK_BYTES = 1024 * 1024;

/** Counts what holds no value: blank lines, or what stands between values. */
export class BlankRun {
  #bytes = 0;

  /** A value ends the run. */
  end(): void {
    this.#bytes = 0;
  }

  /** @param line where these bytes are, from 1 @throws Error beyond the bound, which ends the input */
  add(bytes: number, line: number): void {
    this.#bytes += bytes;
    if (this.#bytes > MAX_BLANK_BYTES) throw new Error(`line ${line}: more than 1 MiB of blank lines in a row`);
  }
}
