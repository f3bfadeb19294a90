import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { anAnswer } from '../../support/enrich/answers.js';
import { BatchServer, costOf } from '../../support/enrich/batch-server.js';
import { enrichAnalysis } from '../../support/enrich/enrich-command.js';
import { removeEverything } from '../../support/enrich/remove-everything.js';
import { loadCreator } from '../../support/enrich/use-chat-server.js';
import { BuiltProcess } from '../../support/process/processes.js';
import { runForJson } from '../../support/service/command.js';
import { describeService } from '../../support/service/test-service.js';
import { until } from '../../support/until.js';

describeService('enrich analysis --batch, when a batch is not created or is lost', (service) => {
  let endpoint: BatchServer;
  const enrich = (...args: readonly string[]) =>
    enrichAnalysis(service(), endpoint.settings, '--batch', '--poll', '1', ...args);
  const aCreator = () => loadCreator(service());
  const lastRun = async () => (await runForJson(service().testDatabase, 'enrich', 'status')).runs[0];

  /** Answers requests that begin like this with a status. */
  const reject = (start: string, status: number) => {
    endpoint.intercept = (request) => (request.startsWith(start) ? { status } : null);
  };

  beforeAll(async () => {
    endpoint = await BatchServer.start();
  });
  afterAll(() => endpoint.stop());
  beforeEach(async () => {
    endpoint.reset();
    await removeEverything(service());
  });

  it.each([
    ['POST /v1/files', 404],
    ['POST /v1/batches', 400],
  ])('leaves no batch and charges nothing if the endpoint rejects it: %s, status %d', async (request, status) => {
    await aCreator();
    reject(request, status);
    expect((await enrich()).status).toBe(1);
    expect(await lastRun()).toMatchObject({ batches: 0, reserved_cost: 0, cost: 0 });
    endpoint.reset();
    expect((await enrich()).report).toMatchObject({ made: 1, cost: costOf(1) });
  });

  it('charges a batch in full that the endpoint does not have any more, says so, and goes on', async () => {
    await aCreator();
    reject('GET /v1/batches/', 401);
    expect((await enrich()).status).toBe(1);
    const { reserved_cost, batches } = await lastRun();
    expect([batches, reserved_cost > 0]).toEqual([1, true]);
    reject(`GET /v1/batches/${endpoint.batches[0]?.id}`, 404);
    const { status, report, err } = await enrich();
    expect(err).toMatch(
      /^127\.0\.0\.1:\d+ does not have a batch any more: its 1 requests count as charged in full\.$/m,
    );
    expect([status, report.made]).toEqual([0, 1]);
    expect(report.cost).toBeCloseTo(reserved_cost + costOf(1), 9);
  });

  it('charges a batch in full whose results the endpoint does not have any more, says so, and goes on', async () => {
    await aCreator();
    reject('GET /v1/files/', 404);
    const { status, report, err } = await enrich();
    expect(err).toMatch(/does not have the results of a batch any more: it counts as charged in full\.$/m);
    expect([status, report]).toEqual([2, expect.objectContaining({ made: 0, failed: 1 })]);
    expect(report.cost).toBeGreaterThan(costOf(1));
    endpoint.reset();
    expect((await enrich()).report).toMatchObject({ made: 1, cost: costOf(1) });
  });

  it('charges a batch in full that the endpoint may have got but does not list', async () => {
    await aCreator();
    endpoint.losesNextBatch = true;
    expect((await enrich()).status).toBe(1);
    const { reserved_cost } = await lastRun();
    endpoint.batches.length = 0;
    const { report } = await enrich();
    expect(report.made).toBe(1);
    expect(report.cost).toBeCloseTo(reserved_cost + costOf(1), 9);
  });

  it('charges nothing for a batch whose file was not uploaded before a kill', async () => {
    await aCreator();
    endpoint.intercept = (request) => (request === 'POST /v1/files' ? 'hangs' : null);
    const { url, folder } = service().testDatabase;
    const args = ['enrich', 'analysis', '--batch', '--max-cost', '1', '--json'];
    const settings = { DATABASE_URL: url, DATA_DIR: folder, ...endpoint.settings };
    const killed = await BuiltProcess.start('cli.mjs', args, settings);
    await until('it uploads', () => endpoint.seen.length > 0);
    killed.signal('SIGKILL');
    await killed.ended;
    endpoint.reset();
    expect((await enrich()).report).toMatchObject({ made: 1, cost: costOf(1) });
  });

  it('does not search forever in a list that repeats its page', async () => {
    await aCreator();
    endpoint.losesNextBatch = true;
    expect((await enrich()).status).toBe(1);
    const page = { data: [{ id: 'other', status: 'completed' }], has_more: true };
    endpoint.intercept = (request) => (request.startsWith('GET /v1/batches?') ? { status: 200, body: page } : null);
    expect((await enrich()).report).toMatchObject({ made: 1 });
    expect(endpoint.seen.filter((request) => request.startsWith('GET /v1/batches?'))).toHaveLength(2);
  });

  it('stops at a state that is unknown, and keeps the batch', async () => {
    await aCreator();
    endpoint.end = 'paused';
    const { status, report } = await enrich();
    expect([status, report.error.message]).toEqual([1, expect.stringMatching(/reports the unknown state "paused"/)]);
    endpoint.batches.forEach((batch) => (batch.status = 'completed'));
    expect((await enrich()).report).toMatchObject({ made: 1, cost: costOf(1) });
  });

  it('asks for a repair again that a batch left out', async () => {
    await aCreator();
    endpoint.answer = ({ data, body }) => (body.messages.length > 2 ? anAnswer(data) : { answer: 'no' });
    endpoint.lines = (result, { body }) => (body.messages.length > 2 ? [] : [JSON.stringify(result)]);
    expect((await enrich()).report).toMatchObject({ made: 0, failed: 1 });
    endpoint.reset();
    expect((await enrich()).report).toMatchObject({ made: 1, rejected: 0 });
    expect(endpoint.requests.map(({ body }) => body.messages.length)).toEqual([4]);
  });

  it('asks for JSON again as the requests of a continued batch did', async () => {
    await aCreator();
    endpoint.rejectFile = ({ response_format: format }) =>
      format?.type === 'json_schema' ? 'response_format is not supported' : null;
    endpoint.intercept = (request) => {
      if (request === 'POST /v1/batches' && endpoint.batches.length === 1) endpoint.losesNextBatch = true;
      return null;
    };
    endpoint.answer = ({ data, body }) => (body.messages.length > 2 ? anAnswer(data) : { answer: 'no' });
    expect((await enrich()).status).toBe(1);
    expect((await enrich()).report).toMatchObject({ made: 1, rejected: 0 });
  });
});
