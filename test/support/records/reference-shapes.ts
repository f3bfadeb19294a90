/** Type of a member as in the tables of the reference; `?` marks nullable ones. */
type Scalar = 'string' | 'integer' | 'number' | 'boolean';
export interface MemberShapes {
  readonly [name: string]: Shape;
}
export type Shape = Scalar | `${Scalar}?` | readonly [Shape] | MemberShapes | { readonly nullable: MemberShapes };

const share = { percentage: 'number' } as const;
const distribution = [{ value: 'string', percentage: 'number' }] as const;
const classification = { topic: 'string', category: 'string', reason: 'string' } as const;

/** The reference's table "Creator analysis (payload of the analysis endpoint)", row by row. Booleans may also be null: not known. */
export const CREATOR_ANALYSIS: MemberShapes = {
  channel_type: 'string',
  gender: 'string?',
  age_range: 'string',
  primary_language: 'string',
  mpaa: { rating: 'string', reason: 'string' },
  content_formats: [
    { content_format: 'string', strength_rating: 'integer', parent: { value: 'string', index: 'integer' } },
  ],
  interests: [
    {
      interest: 'string',
      strength_rating: 'integer',
      reason: 'string',
      classification: { topic: 'string', category: 'string', index: 'integer' },
    },
  ],
  biography: 'string',
  classifications: [classification],
  primary_classification: classification,
  real_first_name: 'string?',
  real_last_name: 'string?',
  aliases: ['string'],
  birthday: { nullable: { birthday_day: 'integer', birthday_month: 'integer', birthday_year: 'integer' } },
  residence: { nullable: { city: 'string', state: 'string', country_code: 'string' } },
  nationality: 'string?',
  height_in_inches: 'integer?',
  family: {
    has_children: 'boolean?',
    relationship_status: 'string',
    notable_family_members: [
      { name: 'string', relationship: 'string', public_figure: 'boolean?', appears_in_content: 'boolean?' },
    ],
  },
  appearance: {
    shows_face: 'boolean?',
    is_vtuber: 'boolean?',
    is_ai_generated_influencer: 'boolean?',
    notable_physical_characteristics: ['string'],
  },
  platforms: [{ platform_name: 'string', handle: 'string', platform_url: 'string', primary_content_type: 'string' }],
  background: {
    education: [{ institution: 'string', degree: 'string', field: 'string' }],
    original_motivation: 'string',
  },
  business: {
    collaborations: [{ collaboration_partner: 'string', collaboration_type: 'string', description: 'string' }],
    monetization: [
      { revenue_stream: 'string', estimated_importance: 'integer', details: 'string', platform: 'string?' },
    ],
    ventures: [
      { venture_name: 'string', venture_type: 'string', description: 'string', role: 'string', launch_date: 'string' },
    ],
  },
};

/** The reference's table "Audience analysis (payload of the audience endpoint)", row by row. */
export const AUDIENCE_ANALYSIS: MemberShapes = {
  gender_distribution: { male: share, female: share, non_binary: share },
  age_ranges: distribution,
  countries: distribution,
  languages: distribution,
  ethnicity_distribution: distribution,
  occupation_distribution: distribution,
  income_distribution: distribution,
  education_level: distribution,
  family_status: distribution,
  religion_distribution: distribution,
  engagement_style: distribution,
  interests: [
    {
      value: 'string',
      strength_rating: 'integer',
      emoji: 'string',
      sub_interests: [{ value: 'string', strength_rating: 'integer', emoji: 'string' }],
    },
  ],
  community_health: {
    loyalty_score: 'number',
    cohesion_score: 'number',
    toxicity_score: 'number',
    loyalty_signals: ['string'],
    cohesion_signals: ['string'],
    toxicity_signals: ['string'],
  },
  brand_safety: { overall_risk_level: 'number', risk_factors: [{ factor: 'string', frequency: 'number' }] },
};

type Kind = Scalar | 'array' | 'object';

/** A member of a shape, at any depth. */
export interface Member {
  /** Path as in the reasons of the import: `interests[0].reason`. */
  readonly path: string;
  readonly kind: Kind;
  readonly nullable: boolean;
  /** Whether the member is an element of an array, which cannot be omitted. */
  readonly isElement: boolean;
}

const isList = (shape: Shape): shape is readonly [Shape] => Array.isArray(shape);

function kindOf(shape: Shape): Pick<Member, 'kind' | 'nullable'> {
  if (typeof shape === 'string') return { kind: shape.replace('?', '') as Scalar, nullable: shape.endsWith('?') };
  if (isList(shape)) return { kind: 'array', nullable: false };
  return { kind: 'object', nullable: 'nullable' in shape };
}

const membersIn = (shape: MemberShapes | { readonly nullable: MemberShapes }): MemberShapes =>
  'nullable' in shape ? (shape.nullable as MemberShapes) : shape;

/** Lists every member of a shape, including nested ones. */
export function membersOf(shape: Shape, path = ''): Member[] {
  if (typeof shape === 'string') return [];
  const inner: [string, Shape, boolean][] = isList(shape)
    ? [[`${path}[0]`, shape[0], true]]
    : Object.entries(membersIn(shape)).map(([name, member]) => [path === '' ? name : `${path}.${name}`, member, false]);
  return inner.flatMap(([at, member, isElement]) => [
    { path: at, ...kindOf(member), isElement },
    ...membersOf(member, at),
  ]);
}

const SAMPLES = { string: 'Some text – Ü', integer: 7, number: 12.5, boolean: false } as const;

/** Returns a value of the shape with every member known and one element in each array. */
export function sampleOf(shape: Shape): unknown {
  if (typeof shape === 'string') return SAMPLES[kindOf(shape).kind as Scalar];
  if (isList(shape)) return [sampleOf(shape[0])];
  return Object.fromEntries(Object.entries(membersIn(shape)).map(([name, member]) => [name, sampleOf(member)]));
}

/** Values of other types than that of the member. */
export const WRONG_VALUES: Readonly<Record<Kind, readonly unknown[]>> = {
  string: [7, true, [], {}],
  integer: ['7', 1.5, 2 ** 53, true],
  number: ['12.5', true, {}],
  boolean: ['false', 0],
  array: ['text', {}, 7],
  object: ['text', [], 7],
};

/** Copies a value with the member at a path replaced, or omitted when the new value is undefined. */
export function withMember<T>(value: T, path: string, to: unknown): T {
  const steps = path.split(/\.|\[|\]\.?/).filter((step) => step !== '');
  const copy = structuredClone(value);
  let parent = copy as Record<string, unknown>;
  for (const step of steps.slice(0, -1)) parent = parent[step] as Record<string, unknown>;
  const last = steps.at(-1) ?? '';
  if (to === undefined) delete parent[last];
  else parent[last] = to;
  return copy;
}
