import { describe, expect, it } from '@jest/globals';
import type { Database } from '../../database/database.js';
import { OperatorError } from '../operator-error.js';
import { Ledger } from './ledger.js';
import { parseRunState } from './run-state.js';

/** Opens a ledger over a database that stores only its row. @param beforeWrite runs before each later transaction, and may fail it */
async function openLedger(maxTokens: number, beforeWrite: (count: number) => Promise<void>) {
  const documents: string[] = [];
  let count = 0;
  const writer = {
    lockData: async () => undefined,
    list: () => ({}),
    pages: async function* () {},
    lock: async () => documents.slice(-1).map((document) => ({ document })),
    upsert: async (_entity: unknown, [row]: readonly { document: string }[]) => {
      if (row !== undefined) documents.push(row.document);
    },
  };
  const database = {
    write: async (work: (given: typeof writer) => Promise<unknown>) => {
      count += 1;
      if (count > 1) await beforeWrite(count);
      return work(writer);
    },
  } as unknown as Database;
  const limits = { cost: null, tokens: maxTokens };
  const ledger = await Ledger.open(database, { model: 'm', prices: null, limits });
  return { ledger, documents };
}

describe('Ledger', () => {
  it('ends the calls that wait for another one whose reservation cannot be written', async () => {
    const { ledger } = await openLedger(150, async () => {
      throw new OperatorError('unavailable', 'another one continues');
    });
    const calls = [1, 2, 3].map(() => ledger.acquire({ input: 100, output: 0 }));
    const ended = await Promise.allSettled(calls);
    expect(ended.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    await expect(ledger.close(false)).rejects.toThrow('another one continues');
  });

  it('reserves the requests of a batch only when it is submitted', async () => {
    const { ledger, documents } = await openLedger(150, async () => undefined);
    const bound = { input: 100, output: 0 };
    const first = ledger.createFitting({ tokens: { input: 0, output: 0 }, cost: 0 }, bound, 50);
    if (first === null) throw new Error('the request must fit');
    expect(ledger.createFitting(first, bound, 50)).toBeNull();
    await ledger.updateBatch('another', { isSent: true });
    expect(parseRunState(documents.at(-1) ?? '').reserved.input).toBe(0);
    const batch = { marker: 'm', id: null, reserved: bound, cost: 0, requests: 1, isSent: false, mayInfer: false };
    const origin = { model: 'm', host: 'h', promptVersion: '1' };
    const features = { format: 'json_schema', limitName: 'max_tokens' } as const;
    await ledger.submitBatch({ ...batch, origin, features }, [], 50);
    await ledger.updateBatch('m', { isSent: true });
    expect(parseRunState(documents.at(-1) ?? '').reserved.input).toBe(100);
    await ledger.close(true);
  });

  it('writes the state that belongs to a group, even if the group is written again after later changes', async () => {
    const { ledger, documents } = await openLedger(1000, async (count) => {
      if (count === 3) throw new Error('locked');
    });
    const first = await ledger.acquire({ input: 100, output: 0 });
    if (first === null) throw new Error('the call must fit');
    const second = ledger.acquire({ input: 10, output: 0 });
    // Let the first attempt to write it fail.
    await new Promise((resolve) => setTimeout(resolve, 50));
    const settled = ledger.settle(first, { input: 7, output: 0 }, null);
    await second;
    const [, , written] = documents.map(parseRunState);
    expect(written).toMatchObject({ reserved: { input: 110 }, spent: { input: 0 } });
    await settled;
    expect(parseRunState(documents.at(-1) ?? '')).toMatchObject({ reserved: { input: 10 }, spent: { input: 7 } });
    await ledger.close(true);
  });
});
