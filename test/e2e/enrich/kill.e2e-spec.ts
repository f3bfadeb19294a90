import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { EnrichmentRunEntity } from '../../../src/features/analysis/enrichment.entities.js';
import { anAnswer } from '../../support/enrich/answers.js';
import { ChatServer, USAGE } from '../../support/enrich/chat-server.js';
import { removeEverything } from '../../support/enrich/remove-everything.js';
import { aContent, aProfile, uniqueId } from '../../support/records/builders.js';
import { BuiltProcess, runBuiltCommand } from '../../support/process/processes.js';
import { runForJson } from '../../support/service/command.js';
import { describeService } from '../../support/service/test-service.js';
import { withoutSqlCheck } from '../../support/sql/sql-list.js';
import { until } from '../../support/until.js';

const COMMAND = ['enrich', 'analysis', '--platform', 'live_platform', '--json'];
const CREATORS = 60;
const IN_FLIGHT = 16;
const TOKENS = USAGE.prompt_tokens + USAGE.completion_tokens;

describeService('enrich analysis, killed', (service) => {
  let chat: ChatServer;
  const settings = () => {
    const { url, folder } = service().testDatabase;
    return { DATABASE_URL: url, DATA_DIR: folder, ...chat.settings };
  };
  const args = (limit: number) => [...COMMAND, '--concurrency', String(IN_FLIGHT), '--max-cost', limit.toFixed(6)];
  const run = async (limit: number) => {
    const { status, out } = await runBuiltCommand(args(limit), settings());
    return { status, report: JSON.parse(out) };
  };

  beforeAll(async () => {
    chat = await ChatServer.start();
  });
  afterAll(() => chat.stop());
  beforeEach(async () => {
    chat.reset();
    await removeEverything(service());
    const ids = Array.from({ length: CREATORS }, () => uniqueId());
    await service().load('profiles', ...ids.map((id) => aProfile({ id })));
    await service().load('content', ...ids.map((id) => aContent({ profile_id: id, title: 'Opening the temple' })));
  });

  /** Kills a run with -9 while all its calls are in flight. @returns the number of answers that it got before */
  async function killInFlight(limit: number, after: number): Promise<void> {
    const from = chat.requests.length;
    chat.behave = ({ data }, index) => (index - from < after ? { content: anAnswer(data) } : { hangs: true });
    const killed = await BuiltProcess.start('cli.mjs', args(limit), settings());
    await until('all calls are in flight', () => chat.requests.length - from === after + IN_FLIGHT);
    killed.signal('SIGKILL');
    await killed.ended;
    chat.behave = ({ data }) => ({ content: anAnswer(data) });
  }

  it('continues where it was: what was answered is not asked again, and calls in flight count as charged in full', async () => {
    await killInFlight(10, 20);
    const { runs } = await runForJson(service().testDatabase, 'enrich', 'status');
    expect(runs[0]).toMatchObject({ state: 'interrupted', counts: { made: 20 }, tokens: 20 * TOKENS });
    const reserved = runs[0].reserved_cost as number;
    const { status, report } = await run(10);
    expect([status, report]).toEqual([0, expect.objectContaining({ made: CREATORS - 20 })]);
    expect(report.cost).toBeCloseTo((CREATORS * TOKENS) / 1e6 + reserved, 9);
    const asked = chat.requests.map(({ data }) => data.profile.id);
    // Only the calls whose answers were lost were made again.
    expect(asked).toHaveLength(CREATORS + IN_FLIGHT);
    expect(new Set(asked).size).toBe(CREATORS);
  });

  it('never spends more than the limit, counting each lost call in full', async () => {
    const { out } = await runBuiltCommand([...COMMAND, '--dry-run'], settings());
    const most = (JSON.parse(out).most_cost as number) / CREATORS;
    // Two kills use up 32 calls in full; 4 more fit, and then as many as their real cost leaves room for.
    const limit = 36 * most;
    await killInFlight(limit, 2);
    await killInFlight(limit, 2);
    const { report } = await run(limit);
    expect(report).toMatchObject({ limit_reached: true });
    expect(report.cost).toBeLessThanOrEqual(limit);
    expect(chat.charged / 1e6 + 32 * most).toBeLessThanOrEqual(limit + 1e-6);
  });

  it('SIGTERM lets calls in flight end, and the same command continues', async () => {
    let release = () => undefined as void;
    const held = new Promise<void>((resolve) => (release = resolve));
    chat.behave = async ({ data }) => {
      await held;
      return { content: anAnswer(data) };
    };
    const stopped = await BuiltProcess.start('cli.mjs', args(10), settings());
    await until('all calls are in flight', () => chat.requests.length === IN_FLIGHT);
    stopped.signal('SIGTERM');
    await runForJson(service().testDatabase, 'enrich', 'status');
    release();
    const { status, err } = await stopped.ended;
    expect([status, err]).toEqual([1, expect.stringContaining('Run the same command again')]);
    const made = chat.requests.length;
    const { report } = await run(10);
    expect(report).toMatchObject({ made: CREATORS - made, cost: (CREATORS * TOKENS) / 1e6 });
    expect(chat.requests).toHaveLength(CREATORS);
  });

  it('runs once of two commands that start together', async () => {
    chat.behave = () => ({ hangs: true });
    const both = [1, 2].map(() => BuiltProcess.start('cli.mjs', args(10), settings()));
    const processes = await Promise.all(both);
    const { status, out } = await Promise.race(processes.map(({ ended }) => ended));
    expect([status, JSON.parse(out).error.message]).toEqual([
      1,
      expect.stringMatching(/^another "enrich analysis" is running/),
    ]);
    await until('the other one calls', () => chat.requests.length === IN_FLIGHT);
    for (const each of processes) each.signal('SIGKILL');
    await Promise.all(processes.map(({ ended }) => ended));
  });

  it('ends a run that another process continues, because this one was suspended', async () => {
    let release = () => undefined as void;
    const held = new Promise<void>((resolve) => (release = resolve));
    chat.behave = async ({ data }, index) => {
      if (index < IN_FLIGHT) await held;
      return { content: anAnswer(data) };
    };
    const suspended = await BuiltProcess.start('cli.mjs', args(10), settings());
    await until('all calls are in flight', () => chat.requests.length === IN_FLIGHT);
    suspended.signal('SIGSTOP');
    await setLastWrite(0);
    const { report } = await run(10);
    expect(report).toMatchObject({ made: CREATORS });
    suspended.signal('SIGCONT');
    release();
    const { status, out } = await suspended.ended;
    expect([status, JSON.parse(out).error.message]).toEqual([
      1,
      expect.stringMatching(/^another "enrich analysis" continues this run/),
    ]);
    expect(chat.requests).toHaveLength(CREATORS + IN_FLIGHT);
    const { runs } = await runForJson(service().testDatabase, 'enrich', 'status');
    expect(runs[0]).toMatchObject({ state: 'ended', counts: { made: CREATORS } });
  });

  /** Sets the time at which the process of the only run last wrote. */
  async function setLastWrite(at: number): Promise<void> {
    const runs = service().database.dataSource.getRepository(EnrichmentRunEntity);
    await withoutSqlCheck(async () => {
      for (const { id, document } of await runs.find()) {
        const state = JSON.stringify({ ...(JSON.parse(String(document)) as object), alive_at: at });
        // TypeORM passes the text of a document on as it is.
        await runs.update({ id }, { document: state as unknown as Buffer });
      }
    });
  }

  it('refuses to run twice at a time', async () => {
    chat.behave = () => ({ hangs: true });
    const running = await BuiltProcess.start('cli.mjs', args(10), settings());
    await until('it calls', () => chat.requests.length > 0);
    const { status, report } = await run(10);
    expect([status, report.error.message]).toEqual([1, expect.stringMatching(/^another "enrich analysis" is running/)]);
    running.signal('SIGKILL');
    await running.ended;
  });
});
