import { z } from 'zod';
import type { Findings } from './findings.js';
import { join, type Place } from './place.js';

/** One kind of object of a source: the members that are read, and the names of those that are known and not read. */
export class Kind<T extends z.ZodRawShape> {
  readonly #schema: z.ZodObject<T>;
  readonly #names: ReadonlySet<string>;

  constructor(
    readonly name: string,
    members: T,
    alsoKnown: readonly string[] = [],
  ) {
    this.#schema = z.object(members, { error: 'must be an object' });
    this.#names = new Set([...Object.keys(members), ...alsoKnown]);
  }

  /** Reads an object, or notes why it cannot be read; notes members never heard of. */
  read(value: unknown, place: Place, found: Findings): z.output<z.ZodObject<T>> | null {
    const reading = this.#schema.safeParse(value);
    if (!reading.success) {
      const [issue] = reading.error.issues;
      found.reject(join(place, issue?.path ?? []), issue?.message ?? 'cannot be read');
      return null;
    }
    for (const name in value as object) {
      if (!this.#names.has(name)) found.unknownMembers.push(`${this.name}.${name}`);
    }
    return reading.data;
  }
}
