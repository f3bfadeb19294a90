import { describe, expect, it } from '@jest/globals';
import { NO_TOKENS } from './cost.js';
import { adoptReservations, parseRunState, priceSpending, spend, type RunState } from './run-state.js';

const PRICES = { input: 1_000_000, output: 2_000_000 };
const SPENT = { input: 1000, output: 500 };

/** A state as an earlier version wrote it. */
const stored = (given: object = {}): RunState =>
  parseRunState(
    JSON.stringify({
      host: 'h',
      pid: 1,
      alive_at: 1,
      model: 'm',
      max_cost: null,
      max_tokens: null,
      spent: NO_TOKENS,
      spent_cost: 0,
      reserved: NO_TOKENS,
      reserved_cost: 0,
      counts: {},
      batches: [],
      ...given,
    }),
  );

describe('parseRunState', () => {
  it('takes batches of earlier versions as sent, in the strictest format', () => {
    const origin = { model: 'm', host: 'h', promptVersion: 'p' };
    const batch = { marker: 'x', id: null, reserved: SPENT, cost: 1, requests: 1, origin, mayInfer: false };
    expect(stored({ batches: [batch] }).batches).toEqual([
      { ...batch, isSent: true, features: { format: 'json_schema', limitName: 'max_tokens' } },
    ]);
  });

  it.each([
    ['without a cost as spent without prices', 0, 2_000_000],
    ['with a cost as priced', 5, 5],
  ])('takes tokens of earlier versions %s', (_, spent_cost, expected) => {
    const state = stored({ spent: SPENT, spent_cost });
    priceSpending(state, PRICES);
    expect(state.spent_cost).toBe(expected);
  });
});

describe('priceSpending', () => {
  it('charges exactly what was spent without prices, once, and requests of batches at half the price', () => {
    const state = stored();
    spend(state, SPENT, 2_000_000, 100);
    spend(state, SPENT, null, 100);
    spend(state, SPENT, null, 50);
    priceSpending(parseRunState(JSON.stringify(state)), PRICES);
    priceSpending(state, PRICES);
    priceSpending(state, PRICES);
    expect(state.spent_cost).toBe(5_000_000);
  });

  it('charges calls in flight of a process that was killed and had no prices', () => {
    const state = stored({ reserved: SPENT });
    adoptReservations(state);
    priceSpending(state, PRICES);
    expect(state).toMatchObject({ spent: SPENT, spent_cost: 2_000_000, reserved: NO_TOKENS });
  });
});
