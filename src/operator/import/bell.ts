/** Wakes one that waits for it. */
export class Bell {
  #wake: () => void = () => undefined;

  ring(): void {
    this.#wake();
  }

  /** Resolves with true when it rings, with false after `milliseconds` without. */
  wait(milliseconds?: number): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = milliseconds === undefined ? undefined : setTimeout(resolve, milliseconds, false);
      this.#wake = () => {
        clearTimeout(timer);
        resolve(true);
      };
    });
  }
}
