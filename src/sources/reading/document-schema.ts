import * as z from 'zod';
import type { Findings } from './findings.js';
import { joinPath, type MemberPath } from './member-path.js';

/** Schema of one kind of object in a source: the members that are read, and the names of known members that are not. */
export class DocumentSchema<T extends z.ZodRawShape> {
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

  /** Parses an object and notes its unknown members. Rejects an invalid object and returns null. */
  parse(value: unknown, itemPath: MemberPath, findings: Findings): z.output<z.ZodObject<T>> | null {
    const reading = this.#schema.safeParse(value);
    if (!reading.success) {
      const [issue] = reading.error.issues;
      findings.reject(joinPath(itemPath, issue?.path ?? []), issue?.message ?? 'cannot be read');
      return null;
    }
    for (const name in value as object) {
      if (!this.#names.has(name)) findings.unknownMembers.push(`${this.name}.${name}`);
    }
    return reading.data;
  }
}
