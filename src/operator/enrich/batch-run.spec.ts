import { describe, expect, it } from '@jest/globals';
import { BatchRun, type BatchRunOptions } from './batch-run.js';
import type { Candidate } from './candidates.js';
import { inputFromText } from './creator-input.js';

describe('BatchRun', () => {
  it('submits nothing if it is stopped while it prepares a batch', async () => {
    const stop = new AbortController();
    const reserved = { tokens: { input: 10, output: 5 }, cost: 7, percent: 50 };
    const options = {
      signal: stop.signal,
      model: 'm',
      maxOutput: 5,
      enricher: { processKnown: async () => null, messages: () => [], setup: {} },
      ledger: {
        batches: [],
        createFitting: () => reserved,
        submitBatch: () => Promise.reject(new Error('it must submit nothing')),
      },
    } as unknown as BatchRunOptions;
    const candidate = {
      input: inputFromText('{"profile":{},"links":[],"content":[]}'),
      creator: {},
      hash: 'h',
      entry: null,
    };
    const candidates = (async function* () {
      yield candidate as unknown as Candidate;
      stop.abort();
      yield candidate as unknown as Candidate;
    })();
    expect(await new BatchRun(options).run(candidates)).toEqual({ end: 'stopped', counts: {} });
  });
});
