import { describe, expect, it } from '@jest/globals';
import { anAnswer } from '../../../test/support/enrich/answers.js';
import type { Candidate } from './candidates.js';
import { NO_TOKENS } from './cost.js';
import { inputFromText } from './creator-input.js';
import { Enricher, type EnricherOptions } from './enricher.js';

describe('Enricher', () => {
  it('rejects an answer that cannot be checked, without a repair', () => {
    const input = inputFromText('{"profile":{},"links":[],"content":[]}');
    // Its check must read the input.
    const unreadable = Object.defineProperty({ ...input }, 'words', {
      get: () => {
        throw new RangeError('Invalid time value');
      },
    });
    const candidate = { creator: { platform: 1, profileId: '1' }, hash: 'h' } as Candidate;
    const enricher = new Enricher({ hasPrices: false, mayInfer: false, ledger: { startedAt: 0 } } as EnricherOptions);
    const text = JSON.stringify(anAnswer({ profile: {} }, { aliases: ['Mara'] }));
    const reply = { result: { text }, isCut: false, usage: null };
    const verdict = enricher.judge(candidate, unreadable, reply, { tokens: NO_TOKENS, cost: 0 }, false);
    const reason = 'the answer could not be checked: Invalid time value';
    expect(verdict).toMatchObject({ kind: 'rejected', result: { journal: { reason }, record: null } });
  });
});
