import { describe, expect, it } from '@jest/globals';
import { anAnswer } from '../../../test/support/enrich/answers.js';
import type { Candidate } from './candidates.js';
import { NO_TOKENS } from './cost.js';
import { inputFromText } from './creator-input.js';
import { Enricher, type EnricherOptions } from './enricher.js';
import { estimate, type EstimateOptions } from './estimate.js';
import { entryOf, journalRow, type JournalEntry } from './journal.js';
import type { CreatorResult } from './store-results.js';

const input = inputFromText('{"profile":{"description":"Mara plays."},"links":[],"content":[]}');
const creator = { platform: 1, profileId: '1' };
const valid = JSON.stringify(anAnswer({ profile: { display_name: 'Mara' } }, { aliases: ['Mara'] }));
const invalid = JSON.stringify(anAnswer({ profile: { display_name: 'Mara' } }, { aliases: ['Anna'] }));
const entry = (given: Partial<JournalEntry>): JournalEntry => ({
  state: 'done',
  tokens: { input: 3, output: 4 },
  reason: null,
  answer: valid,
  changedAt: 5,
  ...given,
});
const candidate = (entry: JournalEntry | null, isUnchanged: boolean): Candidate => ({
  platform: 'live_platform',
  creator,
  input,
  hash: 'h',
  entry,
  isUnchanged,
});

/** Processes a candidate at another host and other prices than its answer was made with. */
async function processKnown(given: Candidate) {
  const stored: CreatorResult[] = [];
  const ledger = {
    startedAt: 0,
    count: () => undefined,
    costOf: () => 999,
    store: async (result: CreatorResult) => stored.push(result) > 0,
  };
  const origin = { model: 'm', host: 'other.example', promptVersion: 'p' };
  const options = { ledger, origin, mayInfer: false, hasPrices: true, retriesRejected: false };
  const outcome = await new Enricher(options as unknown as EnricherOptions).processKnown(given);
  return { outcome, stored };
}

describe('Enricher.processKnown', () => {
  it.each([
    [{ making: { host: 'first.example', cost: 7_000_000 } }, { host: 'first.example', cost: 0.007 }],
    [{ making: { host: 'first.example', cost: null } }, { host: 'first.example', cost: null }],
    [{}, { host: 'unknown', cost: null }],
  ])('restores an answer of %j with the provenance %j', async (given, provenance) => {
    const { outcome, stored } = await processKnown(candidate(entry(given), false));
    expect([outcome, stored[0]?.record?.provenance]).toEqual(['restored', expect.objectContaining(provenance)]);
  });

  it.each([
    ['unchanged', entry({})],
    ['unchanged', null],
    ['unchanged', entry({ state: 'rejected', answer: null, reason: 'no' })],
    [null, entry({ answer: invalid })],
    [null, entry({ state: 'repair', answer: invalid, reason: 'no' })],
  ])('is %j for an unchanged input with the entry %j', async (expected, known) => {
    expect((await processKnown(candidate(known, true))).outcome).toBe(expected);
  });
});

describe('estimate', () => {
  it.each([
    [entry({}), true, { creators: 0, unchanged: 1 }],
    [entry({}), false, { creators: 0, unchanged: 1 }],
    [entry({ answer: invalid }), true, { creators: 1, unchanged: 0 }],
    [entry({ answer: invalid }), false, { creators: 1, unchanged: 0 }],
    [null, true, { creators: 0, unchanged: 1 }],
  ])('counts for the entry %j, unchanged %j: %j', async (known, isUnchanged, expected) => {
    const candidates = (async function* () {
      yield candidate(known, isUnchanged);
    })();
    const prompt = { system: 's', stated: 's', inferred: 'i', repair: 'r', version: 'v' };
    const options = { prompt, model: 'm', mayInfer: false, maxOutput: 10, retriesRejected: false, prices: null };
    let read = 0;
    const progress = (candidates: number) => (read = candidates);
    const all: EstimateOptions = { ...options, percent: 100, signal: new AbortController().signal, progress };
    expect(await estimate(candidates, all)).toMatchObject(expected);
    expect(read).toBe(1);
  });
});

describe('entryOf', () => {
  it.each([
    ['a valid answer', entry({ making: { host: 'a.example', cost: 7 } })],
    ['a valid answer without prices', entry({ making: { host: 'a.example', cost: null } })],
    ['an answer of an earlier version', entry({ making: null })],
    ['a rejection', entry({ state: 'rejected', answer: null, reason: 'no', tokens: NO_TOKENS, making: null })],
  ])('reads the row of %s', (_, written) => {
    const { document, reason, ...row } = journalRow('h', creator, written);
    const asStored = (text: string | Buffer | null) => (text === null ? null : Buffer.from(String(text)));
    expect(entryOf({ ...row, document: asStored(document), reason: asStored(reason) })).toEqual(written);
  });
});
