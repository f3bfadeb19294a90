import { creatorAnalysisSchema, type CreatorAnalysis } from '../../features/analysis/creator-analysis.js';
import { foldText } from './creator-input.js';

/** Agreement of stored analyses with those made by hand, on one member. */
export interface MemberAgreement {
  readonly member: string;
  readonly compared: number;
  /** Mean agreement from 0 to 1. */
  readonly agreement: number;
  /** Analyses by hand without the member. */
  readonly not_given: number;
  /** Of these, the stored analyses that have it: the model invented it. */
  readonly invented: number;
}

const MEMBERS = Object.keys(creatorAnalysisSchema.shape) as (keyof CreatorAnalysis)[];

/** Members whose wording is free, so that equal texts say nothing about quality. */
const FREE_TEXTS = new Set(['biography']);

/** Members of list elements that identify them. The first one that an element has counts. */
const NAMES = [
  'content_format',
  'interest',
  'category',
  'handle',
  'institution',
  'name',
  'collaboration_partner',
  'venture_name',
  'revenue_stream',
];

/** Compares pairs of analyses member by member. */
export class Agreements {
  readonly #sums = new Map<string, { compared: number; sum: number; notGiven: number; invented: number }>();

  add(byHand: CreatorAnalysis, stored: CreatorAnalysis): void {
    for (const member of MEMBERS) {
      if (FREE_TEXTS.has(member)) continue;
      const before = this.#sums.get(member) ?? { compared: 0, sum: 0, notGiven: 0, invented: 0 };
      const isGiven = valuesOf(byHand[member]).size > 0;
      const isMade = valuesOf(stored[member]).size > 0;
      this.#sums.set(member, {
        compared: before.compared + 1,
        sum: before.sum + compare(byHand[member], stored[member]),
        notGiven: before.notGiven + (isGiven ? 0 : 1),
        invented: before.invented + (!isGiven && isMade ? 1 : 0),
      });
    }
  }

  list(): MemberAgreement[] {
    return Array.from(this.#sums, ([member, { compared, sum, notGiven, invented }]) => ({
      member,
      compared,
      agreement: Math.round((sum / compared) * 1000) / 1000,
      not_given: notGiven,
      invented,
    }));
  }
}

/** Compares two values: the part of their distinct values that both have; 1 if neither has any. */
export function compare(a: unknown, b: unknown): number {
  const [valuesA, valuesB] = [valuesOf(a), valuesOf(b)];
  const all = new Set([...valuesA, ...valuesB]);
  if (all.size === 0) return 1;
  return Array.from(valuesA).filter((value) => valuesB.has(value)).length / all.size;
}

/** Returns what a value says: itself, the names of its elements, or its members. Null, `unknown` and reasons say nothing. */
function valuesOf(value: unknown, path = ''): ReadonlySet<string> {
  if (value === null || value === undefined) return new Set();
  if (typeof value !== 'object') {
    const text = foldText(typeof value === 'string' ? value : JSON.stringify(value));
    return new Set(text === 'unknown' || text === '' ? [] : [`${path}=${text}`]);
  }
  if (Array.isArray(value)) return new Set(value.flatMap((element) => [...valuesOf(nameOf(element), `${path}[]`)]));
  return new Set(
    Object.entries(value).flatMap(([name, inner]) =>
      name === 'reason' ? [] : [...valuesOf(inner, `${path}.${name}`)],
    ),
  );
}

function nameOf(element: unknown): unknown {
  if (typeof element !== 'object' || element === null) return element;
  const name = NAMES.find((member) => member in element);
  return name === undefined ? element : (element as Readonly<Record<string, unknown>>)[name];
}
