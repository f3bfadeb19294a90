import { appendFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { runClients, type ClientsOutcome, type Receipt } from '../../support/http/clients.js';
import { runInProcess, runForJson } from '../../support/service/command.js';
import { httpRequest } from '../../support/http/request.js';
import { dataFolder, ServiceProcess } from '../../support/process/processes.js';
import { until } from '../../support/until.js';
import { ALL_DAYS, parseExport, type UsageRow } from '../../support/service/usage.js';

/** Duration of the fault. */
const FAULT_MS = Number(process.env.FAULT_MS ?? 7000);

/** Maximum time of every request, of the change of the health check, and of the recovery. */
const MAX_MS = 5000;

/** Time after which a drill stops waiting. */
const GIVE_UP_AFTER_MS = 15_000;

/** Maximum memory of the service, in MiB. */
const MAX_MIB = 350;

/** Tolerance for late timers of a busy machine. */
const TOLERANCE_MS = 500;

const CLIENTS = 32;
const BEFORE_ANSWERS = 500;
const AFTER_MS = 1500;

const PATHS = [
  '/platforms/live_platform/profiles/none',
  '/platforms/live_platform/profiles?limit=3',
  '/games/search?query=x',
  '/platforms/live_platform/profiles/none/analysis',
  '/usage',
];

/** A fault that begins and ends. */
export interface Fault {
  readonly name: string;
  readonly begin: () => Promise<void> | void;
  readonly end: () => Promise<void> | void;
  /** Whether records can still be stored; if not, the health check must report it. */
  readonly canStoreRecords?: boolean;
  /** Process that is killed during the fault, if any. */
  readonly kill?: Kill;
}

/**
 * How a process of the service ends: a worker, which is replaced, or the service, which is started again after the
 * fault.
 */
export interface Kill {
  readonly signal: NodeJS.Signals;
  readonly of: 'service' | 'worker';
}

/** Both ways to end the service. */
export const ENDS: readonly (readonly [how: string, kill: Kill])[] = [
  ['killed', { signal: 'SIGKILL', of: 'service' }],
  ['stopped', { signal: 'SIGTERM', of: 'service' }],
];

/** Database and settings of a drill. */
export interface DrillTarget {
  readonly url: string;
  readonly settings?: Readonly<Record<string, string>>;
}

/** Failures found by a drill. */
export interface DrillFailures {
  readonly lost: number;
  readonly doubled: number;
  /** Records of requests without an answer. */
  readonly beyond: number;
  /** Dead processes that keep their days open. */
  readonly registered: number;
  readonly late: readonly string[];
  readonly tooMuchMemory: readonly string[];
  readonly unanswered: readonly string[];
}

/** Expected result of every drill. */
export const NO_FAILURES: DrillFailures = {
  lost: 0,
  doubled: 0,
  beyond: 0,
  registered: 0,
  late: [],
  tooMuchMemory: [],
  unanswered: [],
};

/** Runs a fault under load, and compares the answers with the export. @returns the failures */
export async function runDrill(ground: DrillTarget, fault: Fault): Promise<DrillFailures> {
  const keyNamed = (name: string) => runForJson(ground, 'keys', 'create', '--name', name, '--rate-limit', '1000000000');
  const { id, key } = await keyNamed('clients');
  const { key: watching } = await keyNamed('watching');
  const settings = { DATABASE_URL: ground.url, ...ground.settings };
  const place = { ...ground, folder: ground.settings?.DATA_DIR ?? dataFolder };
  const { kill } = fault;
  let service = await ServiceProcess.start(settings);
  let answers = 0;
  let isOver = false;
  const outcomes: Promise<ClientsOutcome>[] = [];
  const load = () => {
    outcomes.push(
      runClients({
        origin: service.origin,
        key,
        clients: CLIENTS,
        path: (nth) => PATHS[nth % PATHS.length] ?? '/usage',
        onAnswer: () => void (answers += 1),
        isDone: () => isOver,
      }),
    );
  };
  load();
  await until('the load runs', () => answers >= BEFORE_ANSWERS, 30_000);

  let healthMs: number | null = null;
  let peakMib: number;
  await fault.begin();
  try {
    if (fault.canStoreRecords !== true) healthMs = await timeUntil(() => isHealthy(service, false));
    await delay(kill === undefined ? FAULT_MS : Math.random() * FAULT_MS);
    peakMib = service.process.peakMib();
    if (kill?.of === 'service') await service.stop(kill.signal);
    else if (kill?.of === 'worker') service.process.signalWorker(kill.signal);
  } finally {
    await fault.end();
  }
  if (kill?.of === 'service') service = await ServiceProcess.start(settings);
  if (kill !== undefined) load();
  const recoveryMs = await timeUntil(
    async () => (await statusOf(service, '/usage', watching)) === 200 && (await isHealthy(service, true)),
  );
  await delay(AFTER_MS);
  isOver = true;
  const ended = await Promise.all(outcomes);
  await service.stop();

  const receipts = ended.flatMap((outcome) => outcome.receipts);
  const rows = parseExport((await runInProcess(place, 'usage', 'export', ...ALL_DAYS, '--json')).out);
  const registered = await registeredWriters(place);
  const unanswered = ended.flatMap((outcome) => outcome.unanswered);
  const finding = {
    drill: kill === undefined ? fault.name : `${fault.name}; ${kill.signal} of the ${kill.of}`,
    answers: receipts.length,
    longest_ms: longest(receipts),
    health_ms: healthMs,
    recovery_ms: recoveryMs,
    peak_mib: peakMib,
    ...compareWithExport(receipts, rows),
    unanswered: unanswered.length,
    beyond: recordsWithoutAnswer(receipts, rows, id),
  };
  report(finding);
  const times = { answer: finding.longest_ms, 'health check': healthMs ?? 0, recovery: recoveryMs };
  const isKilled = kill?.signal === 'SIGKILL';
  return {
    lost: finding.lost,
    doubled: finding.doubled,
    registered,
    late: Object.entries(times).flatMap(([what, ms]) => (ms < MAX_MS + TOLERANCE_MS ? [] : [`${what} ${ms} ms`])),
    tooMuchMemory: peakMib < MAX_MIB ? [] : [`${peakMib} MiB`],
    // Only a kill leaves a request without an answer, and then possibly with a record.
    unanswered: isKilled ? [] : unanswered,
    beyond: isKilled && finding.beyond <= unanswered.length ? 0 : finding.beyond,
  };
}

/** @returns the number of registered processes, after the export has removed dead ones */
async function registeredWriters(place: DrillTarget & { readonly folder: string }): Promise<number> {
  const { out } = await runInProcess(place, 'doctor', '--json');
  const checks = (JSON.parse(out) as { checks: { name: string; message: string }[] }).checks;
  const messages = checks.filter(({ name }) => name === 'writers').map(({ message }) => message);
  return messages.length === 1 && messages[0]?.endsWith(': 0') === true ? 0 : Math.max(1, messages.length);
}

/** @returns the longest time from a request to its answer, in ms */
export const longest = (receipts: readonly Receipt[]): number =>
  Math.round(receipts.reduce((most, { ms }) => Math.max(most, ms), 0));

/** @returns the number of records of a key whose requests had no answer */
export function recordsWithoutAnswer(receipts: readonly Receipt[], rows: readonly UsageRow[], keyId: string): number {
  const answered = new Set(receipts.map(({ requestId }) => requestId));
  return rows.filter((row) => row.key_id === keyId && !answered.has(row.request_id)).length;
}

/** Compares the export with the answers: `lost` answers have no record or a different one, `doubled` answers have two. */
export function compareWithExport(
  receipts: readonly Receipt[],
  rows: readonly UsageRow[],
): { lost: number; doubled: number } {
  const recorded = new Map<string, string>();
  let doubled = 0;
  for (const row of rows) {
    if (recorded.has(row.request_id)) doubled += 1;
    recorded.set(row.request_id, [row.status, row.quota_units, row.credits].join(' '));
  }
  const lost = receipts.filter(
    ({ requestId, status, units, credits }) => recorded.get(requestId) !== [status, units, credits].join(' '),
  ).length;
  return { lost, doubled };
}

/** Appends a result to the report, if one is written. */
export function report(finding: object): void {
  const file = process.env.FAULTS_REPORT;
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(finding)}\n`);
}

/** @returns how long it took in ms; `GIVE_UP_AFTER_MS` if the condition did not hold */
async function timeUntil(condition: () => Promise<boolean>): Promise<number> {
  const started = performance.now();
  await until('', condition, GIVE_UP_AFTER_MS).catch(() => undefined);
  return Math.min(GIVE_UP_AFTER_MS, Math.round(performance.now() - started));
}

const isHealthy = async (service: ServiceProcess, wanted: boolean): Promise<boolean> =>
  ((await statusOf(service, '/health')) === 200) === wanted;

const statusOf = async (service: ServiceProcess, path: string, key = ''): Promise<number> =>
  (await httpRequest(service.origin, path, { headers: { 'x-api-key': key } })).status;
