import { platformFromCode } from '../../model/platforms.js';
import type { Candidate } from './candidates.js';
import { inputFromText } from './creator-input.js';
import type { findSubmitted } from './journal.js';

/** An invalid answer, and what is wrong with it. */
export interface InvalidAnswer {
  readonly answer: string;
  readonly problems: readonly string[];
}

/** What the journal holds while a request is in a batch. */
export interface SubmittedRequest {
  readonly input: string;
  /** Of a repair. */
  readonly invalid: InvalidAnswer | null;
}

/** A creator whose call waits for the next batch. */
export interface Waiting {
  readonly candidate: Candidate;
  readonly invalid: InvalidAnswer | null;
}

/** Requests for the next batch that are known already: repairs, and those to send again with other features. */
export class WaitingRequests {
  readonly #requests: Waiting[] = [];
  readonly #hashes = new Set<string>();

  add(requests: readonly Waiting[]): void {
    this.#requests.push(...requests);
    for (const { candidate } of requests) this.#hashes.add(candidate.hash);
  }

  /** Puts a request back that did not fit into a batch. */
  putBack(request: Waiting): void {
    this.#requests.unshift(request);
  }

  next(): Waiting | undefined {
    return this.#requests.shift();
  }

  /** Reports whether an input has waited already. After a kill, the selection of creators yields it once more. */
  has(hash: string): boolean {
    return this.#hashes.has(hash);
  }
}

/** Returns the invalid answer that a repair is due for; null if there is none. */
export function invalidOf({ entry }: Candidate): InvalidAnswer | null {
  if (entry?.state === 'repair') return { answer: entry.answer ?? '', problems: (entry.reason ?? '').split('\n') };
  // A batch that ended without its answer.
  const isSubmitted = entry?.state === 'submitted' && entry.answer !== null;
  return isSubmitted ? (JSON.parse(entry.answer) as SubmittedRequest).invalid : null;
}

/** Restores a request from the journal. @returns null if it is in no batch any more */
export function restore({ hash, creator, entry }: Awaited<ReturnType<typeof findSubmitted>>[number]): Waiting | null {
  if (entry.state !== 'submitted' || entry.answer === null) return null;
  const { input: text, invalid } = JSON.parse(entry.answer) as SubmittedRequest;
  const platform = platformFromCode(creator.platform);
  return { candidate: { platform, creator, input: inputFromText(text), hash, entry, isUnchanged: false }, invalid };
}
