import * as z from 'zod';
import { CONTENT_TYPES } from '../../features/content/content.js';
import { PLATFORMS } from '../../model/platforms.js';
import { joinPath } from '../reading/member-path.js';
import { readingsOf, type ValueKind } from './readings.js';

/** Source of a member: a column, or one value for all rows. */
export interface CellMapping {
  readonly column?: string;
  readonly value?: string | undefined;
  /** Name of the reading that parses the text. */
  readonly read: string;
  /** Regular expression whose first group selects a part of the text. */
  readonly pattern?: RegExp | undefined;
  /** Replacements of whole texts. */
  readonly words?: ReadonlyMap<string, string> | undefined;
  /** Template in which the text replaces `{}`. */
  readonly template?: string | undefined;
}

const expression = z
  .string()
  .refine(isExpressionWithGroup, 'must be a regular expression with a group')
  .transform((source) => new RegExp(source, 'u'));

/** Creates the schema of a cell. A string is short for a cell with this column and the default reading. */
function cell(held: ValueKind) {
  const readings = Object.keys(readingsOf(held));
  const [defaultReading = ''] = readings;
  const described = z
    .strictObject({
      column: z.string().optional(),
      value: z.string().optional(),
      read: z.enum(readings).default(defaultReading),
      pattern: expression.optional(),
      // A map: texts may name members of every object, such as `constructor`.
      words: z
        .record(z.string(), z.string())
        .transform((words) => new Map(Object.entries(words)))
        .optional(),
      template: z.string().includes('{}', 'must contain {}').optional(),
    })
    .refine(
      ({ column, value }) => (column === undefined) !== (value === undefined),
      'must have either column or value',
    );
  return z.preprocess((given) => (typeof given === 'string' ? { column: given } : given), described);
}

const cells = <N extends string>(members: Readonly<Record<N, ValueKind>>) => {
  const optional = Object.entries<ValueKind>(members).map(([name, held]) => [name, cell(held).optional()]);
  return Object.fromEntries(optional) as Record<N, z.ZodType<CellMapping | undefined>>;
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

/** Kind of value of each member in a mapping. */
export const MEMBER_KINDS: Readonly<Record<string, ValueKind>> = {
  id: 'id',
  observed_at: 'instant',
  ...PROFILE,
  ...CONTENT,
};

const mappingSchema = z
  .strictObject({
    platform: z.enum(PLATFORMS),
    /** Texts that mean that the value is unknown. */
    unknown: z.array(z.string()).default([]),
    observed_at: cell('instant').optional(),
    profile: z.strictObject({ id: cell('id'), ...cells(PROFILE) }).optional(),
    content: z.strictObject({ id: cell('id'), ...cells(CONTENT) }).optional(),
  })
  .refine(({ profile, content }) => profile !== undefined || content !== undefined, 'must have profile or content');

/** Definition of a table's columns. */
export type CsvMapping = z.output<typeof mappingSchema>;

/** Parses a mapping; returns a message if it is invalid. */
export function parseMapping(json: string): CsvMapping | string {
  let parsed: unknown;
  try {
    parsed = JSON.parse(json);
  } catch (error) {
    return `the mapping is not JSON: ${(error as Error).message}`;
  }
  const reading = mappingSchema.safeParse(parsed);
  if (reading.success) return reading.data;
  const [issue] = reading.error.issues;
  const path = issue?.path ?? [];
  const accepted = issue?.code === 'unrecognized_keys' ? `; the members are ${membersAt(path).join(', ')}` : '';
  return `${joinPath('', path) || 'the mapping'}: ${issue?.message ?? 'cannot be read'}${accepted}`;
}

/** Returns the members that a mapping can have at a path. */
function membersAt([first, ...rest]: readonly PropertyKey[]): readonly string[] {
  const shape = mappingSchema.shape;
  if (first === undefined) return Object.keys(shape);
  if (rest.length > 0 || first === 'observed_at') return ['column', 'value', 'read', 'pattern', 'words', 'template'];
  return ['id', ...Object.keys(first === 'profile' ? PROFILE : CONTENT)];
}

/** Values of `--set`, by member. */
export type MappingValues = Readonly<Record<string, string>>;

/** Constant that stands for a value the operator must give. Earlier versions shipped a mapping with `ACCOUNT`. */
const PLACEHOLDER = /^(?:<.*>|ACCOUNT)$/s;

/** Replaces the placeholders of a mapping by values; returns a message if one is left, or a value has none. */
export function fillPlaceholders(mapping: CsvMapping, values: MappingValues): CsvMapping | string {
  const filled = new Set<string>();
  const open = new Set<string>();
  const fill = <T extends object>(cells: T | undefined): T | undefined => {
    if (cells === undefined) return undefined;
    const entries = Object.entries(cells as Record<string, CellMapping | undefined>).map(([name, cell]) => {
      if (cell?.value === undefined || !PLACEHOLDER.test(cell.value)) return [name, cell] as const;
      const value = Object.hasOwn(values, name) ? values[name] : undefined;
      (value === undefined ? open : filled).add(name);
      return [name, { ...cell, value: value ?? cell.value }] as const;
    });
    return Object.fromEntries(entries) as T;
  };
  const complete = { ...mapping, profile: fill(mapping.profile), content: fill(mapping.content) };
  const unused = Object.keys(values).find((name) => !filled.has(name));
  if (unused !== undefined) {
    const known =
      [...filled, ...open].map((name) => `--set ${name}=VALUE`).join(', ') || 'no --set: it has no placeholder';
    return `${unused} is not a placeholder of this mapping, which accepts ${known}`;
  }
  const [missing] = open;
  return missing === undefined
    ? complete
    : `${missing} is a placeholder: add --set ${missing}=VALUE, or edit the mapping`;
}

/** Returns the names of a mapping's placeholders. */
export const listPlaceholders = ({ profile, content }: CsvMapping): string[] =>
  Object.entries<CellMapping | undefined>({ ...profile, ...content } as Record<string, CellMapping | undefined>)
    .filter(([, cell]) => cell?.value !== undefined && PLACEHOLDER.test(cell.value))
    .map(([name]) => name);

/** Reports whether a value is a content type. */
export const isContentType = (type: unknown): boolean => CONTENT_TYPES.some((each) => each === type);

function isExpressionWithGroup(source: string): boolean {
  try {
    return (new RegExp(`${source}|`, 'u').exec('')?.length ?? 0) > 1;
  } catch {
    return false;
  }
}
