/** Reads an iterator ahead of whoever takes from it: while one thing is worked on, the next ones are made. */
export class ReadAhead<T> {
  readonly #coming: Promise<IteratorResult<T, void>>[] = [];

  /** @param depth how many are made ahead */
  constructor(
    private readonly source: AsyncGenerator<T, void>,
    depth: number,
  ) {
    for (let made = 0; made < depth; made += 1) this.#make();
  }

  /**
   * The next one, null at the end.
   * @throws what the source failed with, in its place
   */
  async next(): Promise<T | null> {
    const { done, value } = await this.#first();
    if (done === true) return null;
    void this.#coming.shift();
    this.#make();
    return value;
  }

  /** Whether there is a next one within `milliseconds`. The end is none; a failure is one, which `next` will throw. */
  async isReady(milliseconds: number): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<boolean>((resolve) => (timer = setTimeout(resolve, milliseconds, false)));
    const made = this.#first().then(
      ({ done }) => done !== true,
      () => true,
    );
    try {
      return await Promise.race([made, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  #first(): Promise<IteratorResult<T, void>> {
    return this.#coming[0] ?? Promise.resolve({ done: true, value: undefined });
  }

  #make(): void {
    const next = this.source.next();
    // Whoever takes it sees the error; until then it must not count as unhandled.
    next.catch(() => undefined);
    this.#coming.push(next);
  }
}
