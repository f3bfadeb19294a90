import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import type { Reader, Writer } from '../../database/database.js';
import { EnrichmentRunEntity } from '../../features/analysis/enrichment.entities.js';
import { OperatorError } from '../operator-error.js';
import { formatCost, NO_TOKENS, sumTokens, type Prices } from './cost.js';
import {
  adoptReservations,
  createReservation,
  fitsRunLimits,
  parseRunState,
  priceSpending,
  repriceBatches,
  type RunState,
} from './run-state.js';

/** A run whose process has not written for longer is taken for dead. */
const LEASE_MS = 60_000;

/** A stored run. */
export interface StoredRun {
  readonly id: string;
  readonly startedAt: number;
  /** 0 for a run that has not ended. */
  readonly endedAt: number;
  readonly state: RunState;
}

const RUNS_PER_PAGE = 100;

/** Lists the runs, newest first. */
export async function listRuns(reader: Reader): Promise<StoredRun[]> {
  const columns = ['started_at', 'ended_at', 'document'] as const;
  const list = reader.list({ entity: EnrichmentRunEntity, filters: [], keys: ['id'], columns });
  const runs: StoredRun[] = [];
  for await (const rows of reader.pages(list, { filters: [], limit: RUNS_PER_PAGE })) {
    for (const { id, started_at, ended_at, document } of rows) {
      const state = parseRunState(document);
      runs.push({ id: String(id), startedAt: Number(started_at), endedAt: Number(ended_at), state });
    }
  }
  return runs.sort((a, b) => b.startedAt - a.startedAt);
}

/** Finds the run that has not ended, or did not end; null if there is none. */
export async function findUnfinishedRun(reader: Reader): Promise<StoredRun | null> {
  return (await listRuns(reader)).find(({ endedAt }) => endedAt === 0) ?? null;
}

/** Reads the state of a run, and locks it until the transaction ends; null if there is none. */
export async function lockRunState(writer: Writer, id: string): Promise<RunState | null> {
  const [row] = await writer.lock(EnrichmentRunEntity, ['id'], [{ id }], ['document']);
  return row === undefined ? null : parseRunState(row.document);
}

/** Reports whether the process of a run is alive. On another machine, its last write decides. */
export function isAlive({ host, pid, alive_at }: RunState, now: number): boolean {
  if (pid === 0 || now - alive_at > LEASE_MS) return false;
  if (host !== hostname()) return true;
  return pid !== process.pid && isRunning(pid);
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it runs as another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Creates the row of a run. */
export const runRow = (id: string, startedAt: number, endedAt: number, state: RunState) => ({
  id,
  started_at: startedAt,
  ended_at: endedAt,
  document: JSON.stringify(state),
});

/** Returns a run that has spent nothing. */
export const newRun = () => ({
  id: randomBytes(8).toString('hex'),
  startedAt: Date.now(),
  state: {
    spent: NO_TOKENS,
    spent_cost: 0,
    unpriced: NO_TOKENS,
    reserved: NO_TOKENS,
    reserved_cost: 0,
    counts: {},
    batches: [],
  },
});

/** Continues a run whose process is dead. @throws OperatorError if it is alive */
export function adoptRun(run: StoredRun, prices: Prices | null): StoredRun {
  const { state } = run;
  if (isAlive(state, Date.now())) {
    throw new OperatorError(
      'unavailable',
      `another "enrich analysis" is running (process ${state.pid} on ${state.host}): wait until it ends`,
    );
  }
  adoptReservations(state);
  if (prices !== null) {
    priceSpending(state, prices);
    repriceBatches(state, prices);
  }
  return run;
}

/**
 * Checks that batches at the endpoint, at the prices and under the limits of now, cost no more than the limits allow.
 * @throws OperatorError otherwise, before their results are read
 */
export function requireRoomForBatches(state: RunState): void {
  if (state.batches.length === 0 || fitsRunLimits(state, createReservation(NO_TOKENS, null))) return;
  const { spent, spent_cost, reserved, reserved_cost, max_cost } = state;
  const least =
    max_cost === null
      ? `--max-tokens must be at least ${sumTokens(spent) + sumTokens(reserved)}`
      : `--max-cost must be at least ${formatCost(spent_cost + reserved_cost)}`;
  throw new OperatorError(
    'invalid_arguments',
    `a batch of the run that did not end could exceed the limit at these prices: ${least}`,
  );
}
