import { overloaded } from '../errors/api-error.js';

/** Bounds of the tasks that run in slices. */
export interface TimeSliceLimits {
  /** Time for which tasks hold the event loop in one turn, in milliseconds. */
  readonly sliceMs: number;
  /** Time limit of a task, in milliseconds. Must be shorter than replaced files of the search index stay open. */
  readonly maxMs: number;
}

const LIMITS: TimeSliceLimits = { sliceMs: 2, maxMs: 20_000 };

interface Task {
  readonly startedAt: number;
  /** Takes steps until a time. @returns whether the task has ended */
  run(endAt: number): boolean;
  reject(error: Error): void;
}

/** Runs long tasks in slices, one slice in each turn of the event loop, so that other requests are answered in between. */
export class TimeSlices {
  /** The owner whose turn is next comes first, and so does the task of an owner. */
  readonly #owners = new Map<string, Task[]>();

  constructor(private readonly limits = LIMITS) {}

  /** Runs a task, at once if no other is suspended. @param steps yields often
   * @param ownerId owners take turns, so that many tasks of one owner delay only its own
   * @returns the result; a promise of it after the first slice
   * @throws ApiError 503 if the task takes too long */
  run<T>(steps: Generator<void, T>, ownerId: string): T | Promise<T> {
    if (this.#owners.size === 0) {
      const result = takeSteps(steps, performance.now() + this.limits.sliceMs);
      if (result.done === true) return result.value;
    }
    return new Promise((resolve, reject) => {
      const run = (endAt: number) => {
        const result = takeSteps(steps, endAt);
        if (result.done === true) resolve(result.value);
        return result.done === true;
      };
      if (this.#owners.size === 0) setImmediate(() => this.#runTurn());
      this.#add(ownerId, { startedAt: performance.now(), run, reject });
    });
  }

  #add(ownerId: string, task: Task): void {
    const tasks = this.#owners.get(ownerId);
    if (tasks === undefined) this.#owners.set(ownerId, [task]);
    else tasks.push(task);
  }

  /** Runs tasks, of each owner in turn, until the slice ends. */
  #runTurn(): void {
    const endAt = performance.now() + this.limits.sliceMs;
    for (const [ownerId, tasks] of this.#owners) {
      this.#runNext(tasks, endAt);
      this.#owners.delete(ownerId);
      // At the end: the loop reaches it again, after the other owners.
      if (tasks.length > 0) this.#owners.set(ownerId, tasks);
      if (performance.now() >= endAt) break;
    }
    if (this.#owners.size > 0) setImmediate(() => this.#runTurn());
  }

  #runNext(tasks: Task[], endAt: number): void {
    const task = tasks[0] as Task;
    let hasEnded = true;
    try {
      if (performance.now() - task.startedAt < this.limits.maxMs) hasEnded = task.run(endAt);
      else task.reject(overloaded());
    } catch (error) {
      task.reject(error as Error);
    }
    tasks.shift();
    if (!hasEnded) tasks.push(task);
  }
}

function takeSteps<T>(steps: Generator<void, T>, endAt: number): IteratorResult<void, T> {
  let result = steps.next();
  while (result.done !== true && performance.now() < endAt) result = steps.next();
  return result;
}
