import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runClients, type Receipt } from '../../support/http/clients.js';
import { runInProcess, runForJson } from '../../support/service/command.js';
import { createTestDatabase, DIALECTS, type TestDatabase } from '../../support/stores/test-database.js';
import { ServiceProcess } from '../../support/process/processes.js';
import { ANSWERS_A_ROUND, KILL_CLIENTS, KILL_ROUNDS } from '../../support/process/rounds.js';
import { ALL_DAYS, parseExport, type UsageRow } from '../../support/service/usage.js';

const TIMEOUT_MS = 150_000 * KILL_ROUNDS;

/** Requests with several prices. */
const PATHS = [
  '/platforms/live_platform/profiles/none',
  '/platforms/live_platform/profiles?limit=3',
  '/games/search?query=x',
  '/platforms/live_platform/profiles/none/analysis',
  '/usage',
];
const path = (nth: number): string => PATHS[nth % PATHS.length] ?? '/usage';

const billOf = ({ requestId, status, units, credits }: Receipt): string =>
  [requestId, status, units, credits].join(' ');
const rowBill = (row: UsageRow): string => [row.request_id, row.status, row.quota_units, row.credits].join(' ');

describe.each(DIALECTS)(`a service under ${KILL_CLIENTS} concurrent clients (%s)`, (dialect) => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase(dialect);
    await runForJson(database, 'migrate');
  }, TIMEOUT_MS);
  afterAll(() => database.drop());

  const aKey = (): Promise<{ id: string; key: string }> =>
    runForJson(database, 'keys', 'create', '--name', 'a client', '--rate-limit', '1000000000');

  /**
   * Runs rounds in which a signal ends the service while it works. @returns the receipts of the clients, and the export
   */
  const rounds = async (signal: NodeJS.Signals) => {
    const { id, key } = await aKey();
    const receipts: Receipt[] = [];
    const unanswered: string[] = [];
    for (let round = 0; round < KILL_ROUNDS; round += 1) {
      const service = await ServiceProcess.start({ DATABASE_URL: database.url });
      const answered = (count: number) => {
        if (count === ANSWERS_A_ROUND) service.process.signal(signal);
      };
      const outcome = await runClients({
        origin: service.origin,
        key,
        clients: KILL_CLIENTS,
        path,
        onAnswer: answered,
        repeatsReset: signal === 'SIGTERM',
      });
      receipts.push(...outcome.receipts);
      unanswered.push(...outcome.unanswered);
      const { status } = await service.process.ended;
      expect(status).toBe(signal === 'SIGKILL' ? null : 0);
    }
    expect(receipts.length).toBeGreaterThanOrEqual(KILL_ROUNDS * ANSWERS_A_ROUND);
    const rows = parseExport((await runInProcess(database, 'usage', 'export', ...ALL_DAYS, '--key', id, '--json')).out);
    const { lines } = await runForJson(database, 'usage', 'summary', ...ALL_DAYS);
    return { receipts, unanswered, rows, total: lines.find((line: { key: string }) => line.key === id) };
  };

  const sum = (rows: readonly UsageRow[], member: 'quota_units' | 'credits') =>
    rows.reduce((total, row) => total + row[member], 0);

  it(
    `killed with SIGKILL in ${KILL_ROUNDS} rounds: every answered request is exported exactly once, as it was answered`,
    async () => {
      const { receipts, rows, total } = await rounds('SIGKILL');
      const ids = rows.map((row) => row.request_id);
      expect(new Set(ids).size).toBe(ids.length);
      const recorded = new Set(rows.map(rowBill));
      expect(receipts.filter((receipt) => !recorded.has(billOf(receipt)))).toEqual([]);
      // Further records belong to answers that the kill interrupted: at most one a client and round.
      expect(rows.length - receipts.length).toBeLessThanOrEqual(KILL_CLIENTS * KILL_ROUNDS);
      expect(total).toMatchObject({
        requests: rows.length,
        quota_units: sum(rows, 'quota_units'),
        credits: sum(rows, 'credits'),
      });
    },
    TIMEOUT_MS,
  );

  it(
    `stopped with SIGTERM in ${KILL_ROUNDS} rounds: no request is dropped, and the export equals the answers`,
    async () => {
      const { receipts, unanswered, rows, total } = await rounds('SIGTERM');
      expect(unanswered).toEqual([]);
      expect(new Set(receipts.map(({ status }) => status))).toEqual(new Set([200, 404]));
      expect(rows.map(rowBill).sort()).toEqual(receipts.map(billOf).sort());
      expect(total).toMatchObject({
        requests: rows.length,
        quota_units: sum(rows, 'quota_units'),
        credits: sum(rows, 'credits'),
      });
    },
    TIMEOUT_MS,
  );
});
