import { z } from 'zod';
import { CONTENT_TYPES } from '../../features/content/content.js';
import { PLATFORMS } from '../../model/platforms.js';
import { join } from '../reading/place.js';
import { readingsOf, type Held } from './readings.js';

/** Where a member comes from: a column, or one value for all rows. */
export interface Cell {
  readonly column?: string;
  readonly value?: string | undefined;
  /** How the text is read; by default as the member's first reading. */
  readonly read: string;
  /** The part of the text that counts: the first group of this expression. */
  readonly pattern?: RegExp | undefined;
  /** Texts that stand for others. */
  readonly words?: Readonly<Record<string, string>> | undefined;
  /** What the text is put into, in place of `{}`. */
  readonly template?: string | undefined;
}

const expression = z
  .string()
  .refine(isExpression, 'must be a regular expression with a group')
  .transform((source) => new RegExp(source, 'u'));

/** Accepts the name of a column for a cell that is read as it is. */
function cell(held: Held) {
  const names = Object.keys(readingsOf(held));
  const [usual = ''] = names;
  const described = z
    .strictObject({
      column: z.string().optional(),
      value: z.string().optional(),
      read: z.enum(names).default(usual),
      pattern: expression.optional(),
      words: z.record(z.string(), z.string()).optional(),
      template: z.string().includes('{}', 'must contain {}').optional(),
    })
    .refine(({ column, value }) => (column === undefined) !== (value === undefined), 'needs a column or a value');
  return z.preprocess((given) => (typeof given === 'string' ? { column: given } : given), described);
}

const cells = <N extends string>(members: Readonly<Record<N, Held>>) => {
  const optional = Object.entries<Held>(members).map(([name, held]) => [name, cell(held).optional()]);
  return Object.fromEntries(optional) as Record<N, z.ZodType<Cell | undefined>>;
};

const PROFILE = {
  name: 'text',
  display_name: 'text',
  url: 'text',
  description: 'text',
  profile_image: 'text',
  banner_image: 'text',
  language: 'text',
  account_type: 'text',
  is_mature: 'truth',
  followers: 'count',
  views_estimated: 'count',
} as const;

const CONTENT = {
  author: 'id',
  author_handle: 'text',
  type: 'text',
  title: 'text',
  description: 'text',
  created_at: 'instant',
  duration: 'duration',
  url: 'text',
  views: 'count',
  likes: 'count',
  comments: 'count',
} as const;

/** What each member of a mapping holds, by its name. */
export const HELD: Readonly<Record<string, Held>> = { id: 'id', observed_at: 'instant', ...PROFILE, ...CONTENT };

const mappingSchema = z
  .strictObject({
    platform: z.enum(PLATFORMS),
    /** Texts that say that nothing is known. */
    unknown: z.array(z.string()).default([]),
    observed_at: cell('instant').optional(),
    profile: z.strictObject({ id: cell('id'), ...cells(PROFILE) }).optional(),
    content: z.strictObject({ id: cell('id'), ...cells(CONTENT) }).optional(),
  })
  .refine(({ profile, content }) => profile !== undefined || content !== undefined, 'needs a profile or a content');

/** What the columns of a table mean. */
export type Mapping = z.output<typeof mappingSchema>;

/** @returns the mapping, or the first thing that is wrong with it */
export function readMapping(json: string): Mapping | string {
  let parsed: unknown;
  try {
    parsed = JSON.parse(json);
  } catch (error) {
    return `it is not JSON: ${(error as Error).message}`;
  }
  const reading = mappingSchema.safeParse(parsed);
  if (reading.success) return reading.data;
  const [issue] = reading.error.issues;
  return `${join('', issue?.path ?? []) || 'it'}: ${issue?.message ?? 'cannot be read'}`;
}

/** Whether a value of `type` is one that is served. */
export const isContentType = (type: unknown): boolean => CONTENT_TYPES.some((each) => each === type);

function isExpression(source: string): boolean {
  try {
    return (new RegExp(`${source}|`, 'u').exec('')?.length ?? 0) > 1;
  } catch {
    return false;
  }
}
