import { createHash } from 'node:crypto';
import { OperatorError } from '../operator-error.js';
import { readSmallFile } from '../read-small-file.js';
import { ANSWER_JSON_SCHEMA } from './answer-schema.js';
import type { CreatorInput } from './creator-input.js';

/** Sections of a prompt file, each after a line `=== NAME ===`. */
const SECTIONS = ['system', 'stated', 'inferred', 'repair'] as const;

type Section = (typeof SECTIONS)[number];

/** A prompt file. `version` is the name on its first line and the beginning of its SHA-256. */
export type Prompt = Readonly<Record<Section, string>> & { readonly version: string };

export interface Message {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

/** Characters of an invalid answer that a repair repeats. */
export const MAX_REPEATED = 24_000;

/** Reads a prompt file. @throws OperatorError if it is invalid */
export async function readPrompt(path: string): Promise<Prompt> {
  const prompt = parsePrompt(await readSmallFile(path));
  if (typeof prompt !== 'string') return prompt;
  throw new OperatorError('invalid_file', `${path} is not a prompt file: ${prompt}`);
}

/** Parses the text of a prompt file. @returns why it is invalid, if it is */
export function parsePrompt(text: string): Prompt | string {
  const name = /^version: ([\w.-]{1,40})\r?\n/.exec(text)?.[1];
  if (name === undefined) return 'its first line must be "version: NAME" of letters, digits, dots and hyphens';
  const parts = Array.from(
    text.matchAll(/^=== (\w+) ===\r?\n([\s\S]*?)(?=^=== \w+ ===|(?![\s\S]))/gm),
    ([, title = '', body = '']) => [title, body.trim()] as const,
  );
  const sections = new Map<string, string>(parts);
  const unknown = parts.find(([title]) => !SECTIONS.some((section) => section === title));
  if (unknown !== undefined) return `"=== ${unknown[0]} ===" is none of its sections: ${SECTIONS.join(', ')}`;
  if (parts.length > sections.size) return 'it has a section twice';
  const missing = SECTIONS.find((section) => !sections.get(section));
  if (missing !== undefined) return `it has no section "=== ${missing} ==="`;
  const of = (section: Section) => sections.get(section) ?? '';
  const checksum = createHash('sha256').update(text).digest('hex').slice(0, 12);
  return {
    system: of('system'),
    stated: of('stated'),
    inferred: of('inferred'),
    repair: of('repair'),
    version: `${name}@${checksum}`,
  };
}

/** Creates the messages about a creator. @param showsSchema whether the instructions contain the schema of the answer */
export function createMessages(
  prompt: Prompt,
  input: CreatorInput,
  { mayInfer, showsSchema }: { readonly mayInfer: boolean; readonly showsSchema: boolean },
): Message[] {
  const parts = [prompt.system, mayInfer ? prompt.inferred : prompt.stated];
  if (showsSchema) parts.push(`JSON schema of the answer:\n${JSON.stringify(ANSWER_JSON_SCHEMA)}`);
  return [
    { role: 'system', content: parts.join('\n\n') },
    { role: 'user', content: `<creator_data>\n${input.text}\n</creator_data>` },
  ];
}

/** Creates the messages that ask for an invalid answer again, after those that it answered. */
export const createRepair = (prompt: Prompt, answer: string, problems: readonly string[]): Message[] => [
  { role: 'assistant', content: withoutDelimiters(answer.slice(0, MAX_REPEATED).toWellFormed()) || '{}' },
  {
    role: 'user',
    // Problems quote the answer, which may repeat texts of the creator.
    content: `${prompt.repair}\n\n<creator_data>\n${problems.map((problem) => `- ${withoutDelimiters(problem)}`).join('\n')}\n</creator_data>`,
  },
];

/** An answer may repeat texts of the creator. In JSON, the escaped character is the same one. */
const withoutDelimiters = (text: string): string => text.replaceAll('<', '\\u003c');
