import { z } from 'zod';
import { audienceLineSchema, type AudienceLine } from '../../features/analysis/audience-analysis.js';
import { analysisLineSchema, type AnalysisLine } from '../../features/analysis/creator-analysis.js';
import { emailLineSchema, type EmailLine } from '../../features/analysis/email.js';
import { socialsLineSchema, type SocialsLine } from '../../features/analysis/social-link.js';
import { contentSchema, type Content } from '../../features/content/content.js';
import { gameDetailsSchema, type GameDetails } from '../../features/games/game.js';
import { profileSchema, type Profile } from '../../features/profiles/profile.js';

/** What can be imported, in the operator's words. */
export const IMPORT_KINDS = ['profiles', 'content', 'games', 'analysis', 'audience', 'socials', 'emails'] as const;

export type ImportKind = (typeof IMPORT_KINDS)[number];

/** The record that a line of each kind holds, every member filled in. */
export interface ImportRecords {
  profiles: Profile;
  content: Content;
  games: GameDetails;
  analysis: AnalysisLine;
  audience: AudienceLine;
  socials: SocialsLine;
  emails: EmailLine;
}

/** A line's record, or one short sentence for people on why there is none. */
export type ParsedLine<K extends ImportKind> = { record: ImportRecords[K] } | { reason: string };

/** The longest line, in UTF-8 bytes without its line break: 1 MiB. */
export const MAX_LINE_BYTES = 1_048_576;

/** The reason for a longer line; a reader that stops collecting such a line gives the same one. */
export const LINE_TOO_LONG = 'line is longer than 1 MiB';

/** Reads one line of an import file into a canonical record: members in the documented order, null for what was left
 * out, date-times in UTC. `JSON.stringify` of it is the document to store. A byte order mark is tolerated. */
export function parseLine<K extends ImportKind>(kind: K, text: string): ParsedLine<K> {
  if (isTooLong(text)) return { reason: LINE_TOO_LONG };
  let value: unknown;
  try {
    value = JSON.parse(text.startsWith('\uFEFF') ? text.slice(1) : text);
  } catch {
    return { reason: 'not JSON' };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { reason: 'not an object' };
  return readRecord(kind, value, text.length > LONG_LINE_UNITS);
}

/** Reads what a line holds. @param isLong the first problem is enough */
export function readRecord<K extends ImportKind>(kind: K, value: object, isLong = false): ParsedLine<K> {
  // Stryker disable next-line ConditionalExpression: the first problem is the same
  const result = SHAPES[kind].safeParse(value, isLong ? FIRST_PROBLEM_ONLY : undefined);
  return result.success ? { record: result.data } : { reason: reasonOf(result.error) };
}

const SHAPES: { readonly [K in ImportKind]: z.ZodType<ImportRecords[K]> } = {
  profiles: profileSchema,
  content: contentSchema,
  games: gameDetailsSchema,
  analysis: analysisLineSchema,
  audience: audienceLineSchema,
  socials: socialsLineSchema,
  emails: emailLineSchema,
};

/** Stops at the first bad array element: half a million issues take hundreds of MB. Slows good lines by a quarter.
 * zod has the option, but not in its public type. */
const FIRST_PROBLEM_ONLY: z.core.ParseContext<z.core.$ZodIssue> & { abortEarly: boolean } = { abortEarly: true };

/** The length, in UTF-16 units, from which a line is read in that way. */
const LONG_LINE_UNITS = 65_536;

/** Whether a line is longer than the longest. */
export function isTooLong(text: string): boolean {
  // A UTF-16 unit takes one to three bytes, so the length decides most lines.
  if (text.length > MAX_LINE_BYTES) return true;
  return text.length * 3 > MAX_LINE_BYTES && Buffer.byteLength(text) > MAX_LINE_BYTES;
}

function reasonOf(error: z.ZodError): string {
  const issue = error.issues[0];
  if (issue === undefined) return 'not valid';
  if (issue.code !== 'unrecognized_keys') return `${pathText(issue.path)} ${issue.message}`;
  return `unknown member: ${pathText([...issue.path, shortened(issue.keys[0] ?? '')])}`;
}

/** A path as people write it: `categories[0].id`. Its first step is a member, as the line is an object. */
function pathText(path: readonly PropertyKey[]): string {
  const steps = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`));
  return steps.join('').slice(1);
}

/** An unknown name can be as long as the line; a reason should not be. */
function shortened(name: string): string {
  return name.length <= 80 ? name : `${name.slice(0, 80).toWellFormed()}…`;
}
