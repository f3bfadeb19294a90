import type { CreatorAnalysis } from '../../features/analysis/creator-analysis.js';
import type { Evidence } from '../../features/analysis/provenance.js';
import { answerSchema } from './answer-schema.js';
import { findProblems, normalizeAnswer } from './check-answer.js';
import type { CreatorInput } from './creator-input.js';
import { parseJson } from './parse-json.js';

/** A valid analysis with the quotes that state its personal members. */
export interface CheckedAnalysis {
  readonly analysis: CreatorAnalysis;
  readonly evidence: readonly Evidence[];
}

/** Result of reading an answer: an analysis, or what is wrong with it. */
export type ParsedAnswer = CheckedAnalysis | { readonly problems: readonly string[] };

/** Problems that a repair lists. More would hardly help the model. */
const MAX_PROBLEMS = 12;

/** Maximum length of an answer in UTF-8 bytes. With it, the line of an analysis is never too long for an import. */
const MAX_ANSWER = 500_000;

/** Parses and checks the text of an answer. A block of code around the JSON is removed, because many models write one. */
export function parseAnswer(text: string, input: CreatorInput, mayInfer: boolean): ParsedAnswer {
  if (Buffer.byteLength(text) > MAX_ANSWER) return { problems: [`the answer must have at most ${MAX_ANSWER} bytes`] };
  const value = parseJson(withoutCodeBlock(text));
  if (value === null) return { problems: ['the answer is not JSON'] };
  const parsed = answerSchema.safeParse(value);
  if (!parsed.success) {
    const problems = parsed.error.issues.slice(0, MAX_PROBLEMS).map(({ path, message, ...issue }) => {
      const member = path.map(String).join('.');
      const unknown = issue.code === 'unrecognized_keys' ? ` (${issue.keys.slice(0, 3).join(', ').slice(0, 100)})` : '';
      return `${member || 'the answer'} ${message}${unknown}`;
    });
    return { problems };
  }
  const answer = normalizeAnswer(parsed.data);
  const problems = findProblems(answer, input, mayInfer);
  if (problems.length > 0) return { problems: problems.slice(0, MAX_PROBLEMS) };
  const { evidence, ...analysis } = answer;
  return { analysis, evidence };
}

function withoutCodeBlock(text: string): string {
  const block = text.trim();
  const start = block.indexOf('\n');
  const isBlock = start !== -1 && /^```(?:json)?$/.test(block.slice(0, start).trimEnd()) && block.endsWith('```');
  return isBlock ? block.slice(start, -3) : text;
}
