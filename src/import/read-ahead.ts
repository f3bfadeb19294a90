/**
 * Reads an iterator ahead of whoever takes from it: while some things are worked on, the next ones are made. What was
 * taken counts until it is said to be done with, so that never more than a number of things exist.
 */
export class ReadAhead<T> {
  readonly #coming: Promise<IteratorResult<T, void>>[] = [];

  /** @param most how many exist at a time */
  constructor(
    private readonly source: AsyncGenerator<T, void>,
    most: number,
  ) {
    this.makeMore(most);
  }

  /** Has as many more made as are done with. */
  makeMore(count: number): void {
    for (let made = 0; made < count; made += 1) {
      const next = this.source.next();
      // Whoever takes it sees the error; until then it must not count as unhandled.
      next.catch(() => undefined);
      this.#coming.push(next);
    }
  }

  /**
   * The next one, null at the end or when as many as may exist were taken.
   * @throws what the source failed with, in its place
   */
  async next(): Promise<T | null> {
    const { done, value } = await this.#first();
    if (done === true) return null;
    void this.#coming.shift();
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
}
