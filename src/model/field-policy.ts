/** Members that identify a person, or tell what a data protection law treats as sensitive. */
export const SENSITIVE_MEMBERS = [
  'birthday',
  'email',
  'ethnicity_distribution',
  'family',
  'family_status',
  'real_first_name',
  'real_last_name',
  'religion_distribution',
  'residence',
] as const;

/** Members that a key's policy may hide. IDs, handles and kinds are not among them, because an answer without them
 * means nothing; nor is what lists are sorted or filtered by, because order or filter would tell it. */
export const HIDEABLE_MEMBERS = [
  ...SENSITIVE_MEMBERS,
  'account_type',
  'age_range',
  'age_ranges',
  'aliases',
  'appearance',
  'background',
  'banner_image',
  'biography',
  'brand_safety',
  'business',
  'channel_type',
  'classifications',
  'community_health',
  'content_formats',
  'countries',
  'description',
  'display_name',
  'education_level',
  'engagement_style',
  'gender',
  'gender_distribution',
  'height_in_inches',
  'income_distribution',
  'interests',
  'is_mature',
  'language',
  'languages',
  'mpaa',
  'nationality',
  'occupation_distribution',
  'platforms',
  'primary_classification',
  'primary_language',
  'profile_image',
  'url',
] as const;

/** Stands for `SENSITIVE_MEMBERS`, also for those that a later version adds. */
const SENSITIVE = 'sensitive';
const NONE = 'none';

/** @returns a policy as a key keeps it; null for none @throws Error naming the members there are */
export function readPolicy(text: string): string | null {
  if (text === NONE) return null;
  const names = new Set(text.split(',').map((name) => name.trim()));
  const known: readonly string[] = [SENSITIVE, ...HIDEABLE_MEMBERS];
  const unknown = [...names].filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    throw new Error(
      `There is no member ${unknown.map((name) => `"${name}"`).join(', ')} to hide. ` +
        `It must be ${SENSITIVE}, ${NONE}, or some of ${[...HIDEABLE_MEMBERS].sort().join(', ')}.`,
    );
  }
  return known.filter((name) => names.has(name)).join(',');
}

/** The members that a kept policy hides; null for a key without one. */
export function hiddenMembers(policy: string | null): ReadonlySet<string> | null {
  if (policy === null) return null;
  return new Set(policy.split(',').flatMap((name) => (name === SENSITIVE ? SENSITIVE_MEMBERS : name)));
}
