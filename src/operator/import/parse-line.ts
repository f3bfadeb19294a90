import * as z from 'zod';
import { audienceLineSchema, type AudienceLine } from '../../features/analysis/audience-analysis.js';
import { analysisLineSchema, type AnalysisLine } from '../../features/analysis/creator-analysis.js';
import { emailLineSchema, type EmailLine } from '../../features/analysis/email.js';
import { provenanceLineSchema, type ProvenanceLine } from '../../features/analysis/provenance.js';
import { socialsLineSchema, type SocialsLine } from '../../features/analysis/social-link.js';
import { contentSchema, type Content } from '../../features/content/content.js';
import { gameDetailsSchema, type GameDetails } from '../../features/games/game.js';
import { historyLineSchema, type HistoryLine } from '../../features/history/history.js';
import { profileSchema, type Profile } from '../../features/profiles/profile.js';
import { MISSING } from '../../model/scalars.js';
import { forgottenLineSchema, type ForgottenLine } from './forgotten-store.js';
import { observationLineSchema, type ObservationLine } from './observations-store.js';

/** Kinds of records that the API returns. */
export const RECORD_KINDS = [
  'profiles',
  'content',
  'games',
  'analysis',
  'audience',
  'socials',
  'emails',
  'history',
] as const;

export type RecordKind = (typeof RECORD_KINDS)[number];

/** Kinds of lines that can be imported: records, and what an export holds besides. */
export const IMPORT_KINDS = [...RECORD_KINDS, 'forgotten', 'observations', 'provenance'] as const;

export type ImportKind = (typeof IMPORT_KINDS)[number];

/** Records by kind, with missing members filled in. */
export interface ImportRecords {
  profiles: Profile;
  content: Content;
  games: GameDetails;
  analysis: AnalysisLine;
  audience: AudienceLine;
  socials: SocialsLine;
  emails: EmailLine;
  forgotten: ForgottenLine;
  observations: ObservationLine;
  provenance: ProvenanceLine;
  history: HistoryLine;
}

/** The record of a line, or the reason why the line is rejected. */
export type ParsedLine<K extends ImportKind> = { record: ImportRecords[K] } | { reason: string };

/** Maximum length of a line in UTF-8 bytes, without its line break: 1 MiB. */
export const MAX_LINE_BYTES = 1_048_576;

/** Returns the reason for rejecting a longer line, also used by `LineReader`. */
export const lineTooLong = (maxBytes = MAX_LINE_BYTES): string => `line is longer than ${maxBytes / 2 ** 20} MiB`;

/** Parses a line of an import file to a canonical record: members in the documented order, null for missing members,
 * date-times in UTC. Its `JSON.stringify` is the document to store. A byte order mark is ignored. */
export function parseLine<K extends ImportKind>(kind: K, text: string, maxBytes = MAX_LINE_BYTES): ParsedLine<K> {
  if (isTooLong(text, maxBytes)) return { reason: lineTooLong(maxBytes) };
  let value: unknown;
  try {
    value = JSON.parse(text.startsWith('\uFEFF') ? text.slice(1) : text);
  } catch {
    return { reason: 'not JSON' };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { reason: 'not an object' };
  return parseRecord(kind, value, text.length > LONG_LINE_UNITS);
}

/** Validates a record. @param isLong whether to stop at the first problem */
export function parseRecord<K extends ImportKind>(kind: K, value: object, isLong = false): ParsedLine<K> {
  // Stryker disable next-line ConditionalExpression: the first problem is the same
  const result = SHAPES[kind].safeParse(value, isLong ? FIRST_PROBLEM_ONLY : undefined);
  return result.success ? { record: result.data } : { reason: formatReason(result.error) };
}

const SHAPES: { readonly [K in ImportKind]: z.ZodType<ImportRecords[K]> } = {
  profiles: profileSchema,
  content: contentSchema,
  games: gameDetailsSchema,
  analysis: analysisLineSchema,
  audience: audienceLineSchema,
  socials: socialsLineSchema,
  emails: emailLineSchema,
  forgotten: forgottenLineSchema,
  observations: observationLineSchema,
  provenance: provenanceLineSchema,
  history: historyLineSchema,
};

/** Stops at the first bad array element, because half a million issues take hundreds of MB. Used for long lines only,
 * because valid lines pay for it as well. The option is missing from zod's public type. */
const FIRST_PROBLEM_ONLY: z.core.ParseContext<z.core.$ZodIssue> & { abortEarly: boolean } = { abortEarly: true };

/** Length in UTF-16 units above which `FIRST_PROBLEM_ONLY` is used. */
const LONG_LINE_UNITS = 65_536;

/** Returns whether a line has more than `maxBytes`. */
export function isTooLong(text: string, maxBytes = MAX_LINE_BYTES): boolean {
  // A UTF-16 unit takes one to three bytes, so only lines in between need a byte count.
  if (text.length > maxBytes) return true;
  return text.length * 3 > maxBytes && Buffer.byteLength(text) > maxBytes;
}

function formatReason(error: z.ZodError): string {
  const issue = error.issues[0];
  if (issue === undefined) return 'not valid';
  if (issue.code === 'unrecognized_keys') return formatUnknown(issue);
  const problem = `${formatPath(issue.path)} ${issue.message}`;
  // A member that is missing may have another name.
  const unknown = issue.message === MISSING ? error.issues.find(({ code }) => code === 'unrecognized_keys') : undefined;
  return unknown?.code === 'unrecognized_keys' ? `${problem}; ${formatUnknown(unknown)}` : problem;
}

const formatUnknown = ({ path, keys }: z.core.$ZodIssueUnrecognizedKeys): string =>
  `unknown member: ${formatPath([...path, shorten(keys[0] ?? '')])}`;

/** Formats a path such as `categories[0].id`. The first step is a member, because the line is an object. */
function formatPath(path: readonly PropertyKey[]): string {
  const steps = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`));
  return steps.join('').slice(1);
}

/** Shortens an unknown name, which can be as long as the line. */
function shorten(name: string): string {
  return name.length <= 80 ? name : `${name.slice(0, 80).toWellFormed()}…`;
}
