import { overloaded } from '../errors/api-error.js';

/** Time for which tasks hold the event loop in one turn, in milliseconds. */
const SLICE_MS = 2;

/** Time limit of a task, in milliseconds. Must be shorter than replaced files of the search index stay open. */
const MAX_MS = 20_000;

interface Task {
  readonly startedAt: number;
  /** Takes steps until a time. @returns whether the task has ended */
  run(endAt: number): boolean;
  reject(error: Error): void;
}

/** Runs long tasks in slices, one slice in each turn of the event loop, so that other requests are answered in between. */
export class TimeSlices {
  readonly #waiting: Task[] = [];

  constructor(
    private readonly sliceMs = SLICE_MS,
    private readonly maxMs = MAX_MS,
  ) {}

  /** Runs a task, at once if no other waits. @param steps yields often
   * @returns the result; a promise of it after the first slice
   * @throws ApiError 503 if the task takes too long */
  run<T>(steps: Generator<void, T>): T | Promise<T> {
    if (this.#waiting.length === 0) {
      const result = takeSteps(steps, performance.now() + this.sliceMs);
      if (result.done === true) return result.value;
    }
    return new Promise((resolve, reject) => {
      const run = (endAt: number) => {
        const result = takeSteps(steps, endAt);
        if (result.done === true) resolve(result.value);
        return result.done === true;
      };
      this.#waiting.push({ startedAt: performance.now(), run, reject });
      if (this.#waiting.length === 1) setImmediate(() => this.#runTurn());
    });
  }

  /** Runs the tasks that have waited longest, until the slice ends. */
  #runTurn(): void {
    const endAt = performance.now() + this.sliceMs;
    do this.#runNext(endAt);
    while (this.#waiting.length > 0 && performance.now() < endAt);
    if (this.#waiting.length > 0) setImmediate(() => this.#runTurn());
  }

  #runNext(endAt: number): void {
    const task = this.#waiting[0] as Task;
    let hasEnded = true;
    try {
      if (performance.now() - task.startedAt < this.maxMs) hasEnded = task.run(endAt);
      else task.reject(overloaded());
    } catch (error) {
      task.reject(error as Error);
    }
    this.#waiting.shift();
    if (!hasEnded) this.#waiting.push(task);
  }
}

function takeSteps<T>(steps: Generator<void, T>, endAt: number): IteratorResult<void, T> {
  let result = steps.next();
  while (result.done !== true && performance.now() < endAt) result = steps.next();
  return result;
}
