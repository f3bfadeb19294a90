import type { Candidate } from './candidates.js';
import type { CreatorInput } from './creator-input.js';
import type { JournalEntry } from './journal.js';
import { parseAnswer, type CheckedAnalysis } from './parse-answer.js';

/** Parses the answer in the journal by the rules of now. @returns null if there is none, or the rules have become stricter */
export function parseStored(
  entry: JournalEntry | null,
  input: CreatorInput,
  mayInfer: boolean,
): CheckedAnalysis | null {
  if (entry?.state !== 'done' || entry.answer === null) return null;
  try {
    const parsed = parseAnswer(entry.answer, input, mayInfer);
    return 'problems' in parsed ? null : parsed;
  } catch {
    return null;
  }
}

/** Reports whether the stored analysis stays: it was made from the input, and its answer is valid, imported, or will get no better. */
export const isKept = ({ isUnchanged, entry }: Candidate, stored: CheckedAnalysis | null): boolean =>
  isUnchanged && (stored !== null || entry === null || entry.state === 'rejected');
