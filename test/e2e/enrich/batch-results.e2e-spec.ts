import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { anAnswer } from '../../support/enrich/answers.js';
import { BatchServer, costOf, type BatchedRequest } from '../../support/enrich/batch-server.js';
import type { ChatRequest } from '../../support/enrich/chat-server.js';
import { enrichAnalysis } from '../../support/enrich/enrich-command.js';
import { removeEverything } from '../../support/enrich/remove-everything.js';
import { loadCreator } from '../../support/enrich/use-chat-server.js';
import { runForJson } from '../../support/service/command.js';
import { describeService } from '../../support/service/test-service.js';

describeService('enrich analysis --batch, at an endpoint that misbehaves', (service) => {
  let endpoint: BatchServer;
  const enrich = (...args: readonly string[]) =>
    enrichAnalysis(service(), endpoint.settings, '--batch', '--poll', '1', ...args);
  const aCreator = () => loadCreator(service());
  const show = (id: string) => runForJson(service().testDatabase, 'enrich', 'show', 'live_platform', id);

  /** Writes other lines for the first request of a batch. */
  const forFirst = (lines: (line: string, request: BatchedRequest) => string[]) => {
    endpoint.lines = (result, request) => {
      const line = JSON.stringify(result);
      return endpoint.requests.length === 1 ? lines(line, request) : [line];
    };
  };

  /** The text of an answer that has levels of lists. */
  const levels = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

  beforeAll(async () => {
    endpoint = await BatchServer.start();
  });
  afterAll(() => endpoint.stop());
  beforeEach(async () => {
    endpoint.reset();
    await removeEverything(service());
  });

  it.each(['expired', 'cancelled', 'completed'])(
    'counts requests that a batch leaves out as failed, charges it in full, and asks again in the next run: %s',
    async (end) => {
      await aCreator();
      await aCreator();
      endpoint.end = end;
      forFirst(() => []);
      const { status, report, err } = await enrich();
      expect([status, report]).toEqual([2, expect.objectContaining({ made: 1, failed: 1 })]);
      expect(report.cost).toBeGreaterThan(costOf(2));
      expect(err).toMatch(/ left out 1 result: the batch counts as charged in full\.$/m);
      expect(report.reasons).toEqual([{ reason: `no answer in the ${end} batch`, creators: 1 }]);
      endpoint.reset();
      expect((await enrich()).report).toMatchObject({ made: 1, unchanged: 0 });
    },
  );

  it('stays below the limit if completed batches have no file of results', async () => {
    for (let count = 0; count < 4; count += 1) await aCreator();
    const most = (await enrich('--dry-run')).report.most_cost / 4;
    endpoint.end = 'completed without a file';
    const { report } = await enrich('--max-cost', (1.2 * most).toFixed(6));
    expect(report).toMatchObject({ made: 0, failed: 1, limit_reached: true });
    expect(endpoint.requests).toHaveLength(1);
  });

  it('reads the results of a batch that failed with some', async () => {
    await aCreator();
    endpoint.end = 'failed';
    expect((await enrich()).report).toMatchObject({ made: 1, cost: costOf(1) });
  });

  it('rejects an answer whose JSON has thousands of levels, and stores the others', async () => {
    const [deep] = [await aCreator(), await aCreator()];
    const settings = { ...endpoint.settings, ENRICH_API_KEY: 'sk-a-key-of-the-test' };
    endpoint.answer = ({ data }) => (data.profile.id === deep ? levels(9000) : anAnswer(data));
    const { status, report } = await enrichAnalysis(service(), settings, '--batch', '--poll', '1');
    expect([status, report]).toEqual([2, expect.objectContaining({ made: 1, rejected: 1, cost: costOf(3) })]);
  });

  it('stores the other results beside lines that nobody can read, and counts the batch as it was reserved', async () => {
    await aCreator();
    await aCreator();
    forFirst((line) => [line.slice(0, 100), '{"custom_id":5}']);
    const { status, report } = await enrich();
    expect([status, report]).toEqual([2, expect.objectContaining({ made: 1, failed: 1 })]);
    expect(report.cost).toBeGreaterThan(costOf(2));
    endpoint.reset();
    expect((await enrich()).report).toMatchObject({ made: 1 });
  });

  it('ignores results of unknown requests, and takes the answer of a request that also has an error', async () => {
    const id = await aCreator();
    forFirst((line, { custom_id }) => [
      line.replace(custom_id, 'unknown'),
      line,
      JSON.stringify({ custom_id, response: { status_code: 500, body: {} } }),
    ]);
    expect((await enrich()).report).toMatchObject({ made: 1, failed: 0 });
    expect((await show(id)).provenance.cost).toBe(costOf(1));
  });

  it('reads a file of results that is longer than a single answer may be', async () => {
    await aCreator();
    forFirst((line) => [`${line.slice(0, -1)},"padding":"${'x'.repeat(9 * 1024 * 1024)}"}`]);
    expect((await enrich()).report).toMatchObject({ made: 1 });
  });

  const lacksSchema = ({ response_format: format }: ChatRequest): boolean => format?.type === 'json_schema';

  it('asks for JSON in another way if the requests are rejected', async () => {
    await aCreator();
    await aCreator();
    endpoint.lines = (result, { body }) => {
      const error = { error: { message: 'response_format json_schema is not supported' } };
      return [JSON.stringify(lacksSchema(body) ? { ...result, response: { status_code: 400, body: error } } : result)];
    };
    const { status, report } = await enrich();
    expect([status, report]).toEqual([0, expect.objectContaining({ made: 2, failed: 0, cost: costOf(2) })]);
    expect(endpoint.requests.map(({ body }) => body.response_format?.type)).toEqual([
      'json_schema',
      'json_schema',
      'json_object',
      'json_object',
    ]);
    expect(endpoint.requests[2]?.body.messages[0]?.content).toContain('JSON schema of the answer');
  });

  it('asks for JSON in another way if the file is rejected', async () => {
    await aCreator();
    endpoint.rejectFile = (body) => (lacksSchema(body) ? 'response_format is not supported' : null);
    expect((await enrich()).report).toMatchObject({ made: 1, cost: costOf(1) });
    expect(endpoint.batches).toHaveLength(2);
  });

  it('asks for JSON in another way if the file is rejected, even if the limit holds no other request', async () => {
    await aCreator();
    await aCreator();
    endpoint.rejectFile = (body) => (lacksSchema(body) ? 'response_format is not supported' : null);
    const most = (await enrich('--dry-run')).report.most_cost / 2;
    const { report } = await enrich('--max-cost', (1.9 * most).toFixed(6));
    expect(report).toMatchObject({ made: 2, limit_reached: false, cost: costOf(2) });
    expect(endpoint.batches).toHaveLength(3);
  });

  it('stops if the file is rejected for another reason, and reserves nothing', async () => {
    await aCreator();
    endpoint.rejectFile = () => 'no balance';
    const { status, report } = await enrich();
    expect([status, report.error.message]).toEqual([
      1,
      'the endpoint rejects the batch (no balance): leave out --batch',
    ]);
    const { runs } = await runForJson(service().testDatabase, 'enrich', 'status');
    expect(runs[0]).toMatchObject({ reserved_cost: 0, batches: 0 });
  });

  it('stops if more is charged than the batch can cost', async () => {
    await aCreator();
    forFirst((line) => [line.replace('"prompt_tokens":1000', '"prompt_tokens":10000000')]);
    const { status, report } = await enrich();
    expect([status, report.error.message]).toEqual([1, expect.stringMatching(/no limit can be held/)]);
  });

  it('finds a batch again whose ID was lost, behind those of other programs', async () => {
    await aCreator();
    endpoint.losesNextBatch = true;
    expect((await enrich()).status).toBe(1);
    endpoint.othersBatches = 2;
    expect((await enrich()).report).toMatchObject({ made: 1, cost: costOf(1) });
    expect(endpoint.batches).toHaveLength(1);
  });

  it('continues a batch with another model: its answers keep the model that made them', async () => {
    const [id, invalid] = [await aCreator(), await aCreator()];
    endpoint.losesNextBatch = true;
    await enrich();
    endpoint.answer = ({ data }) => (data.profile.id === invalid ? { answer: 'no' } : anAnswer(data));
    const other = { ...endpoint.settings, ENRICH_MODEL: 'other-model' };
    const { report } = await enrichAnalysis(service(), other, '--batch', '--poll', '1');
    expect((await show(id)).provenance.model).toBe('test-model');
    // The repair would be another input; the new model is asked for it.
    expect(report).toMatchObject({ made: 1, failed: 1, rejected: 1 });
    expect(endpoint.requests.map(({ body }) => body.model)).toEqual([
      'test-model',
      'test-model',
      'other-model',
      'other-model',
    ]);
  });

  it('continues a batch at the prices of now', async () => {
    await aCreator();
    endpoint.losesNextBatch = true;
    const settings = { ...endpoint.settings, ENRICH_INPUT_PRICE: '', ENRICH_OUTPUT_PRICE: '' };
    await enrichAnalysis(service(), settings, '--batch', '--poll', '1', '--max-tokens', '1000000');
    const { status, report } = await enrich();
    expect([status, report]).toEqual([0, expect.objectContaining({ made: 1, cost: costOf(1) })]);
  });

  it('reads no batch that could exceed the limit, at raised prices or under a lower limit, and says which limit it needs', async () => {
    await aCreator();
    endpoint.losesNextBatch = true;
    await enrich();
    const raised = { ...endpoint.settings, ENRICH_INPUT_PRICE: '1000000', ENRICH_OUTPUT_PRICE: '1000000' };
    const attempts = [
      await enrichAnalysis(service(), raised, '--batch', '--poll', '1'),
      await enrichAnalysis(service(), endpoint.settings, '--batch', '--poll', '1', '--max-cost', '0.0001'),
    ];
    for (const { status, report } of attempts) {
      expect([status, report.error]).toEqual([
        1,
        expect.objectContaining({
          message: expect.stringMatching(/exceed the limit.*: --max-cost must be at least [\d.]+$/),
        }),
      ]);
    }
    const needed = String(attempts[0]?.report.error.message).split(' ').at(-1) ?? '';
    const { status, report } = await enrichAnalysis(service(), raised, '--batch', '--poll', '1', '--max-cost', needed);
    expect([status, report.made]).toEqual([0, 1]);
    expect(report.cost).toBeLessThanOrEqual(Number(needed));
  });

  it('does not look for a batch at another host', async () => {
    await aCreator();
    endpoint.losesNextBatch = true;
    await enrich();
    const other = { ...endpoint.settings, ENRICH_BASE_URL: 'http://127.0.0.1:1/v1' };
    const { report } = await enrichAnalysis(service(), other, '--batch');
    expect(report.error.message).toMatch(/is at 127\.0\.0\.1:\d+: correct ENRICH_BASE_URL$/);
  });
});
