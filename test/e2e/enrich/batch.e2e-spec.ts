import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { anAnswer } from '../../support/enrich/answers.js';
import { BatchServer, costOf } from '../../support/enrich/batch-server.js';
import { enrichAnalysis } from '../../support/enrich/enrich-command.js';
import { removeEverything } from '../../support/enrich/remove-everything.js';
import { aContent, aProfile, uniqueId } from '../../support/records/builders.js';
import { BuiltProcess } from '../../support/process/processes.js';
import { runForJson } from '../../support/service/command.js';
import { describeService } from '../../support/service/test-service.js';
import { until } from '../../support/until.js';

describeService('enrich analysis --batch', (service) => {
  let endpoint: BatchServer;
  const enrich = (...args: readonly string[]) =>
    enrichAnalysis(service(), endpoint.settings, '--batch', '--poll', '1', ...args);
  const sourceOf = async (id: string) =>
    (await service().get(`/platforms/live_platform/profiles/${id}/analysis`)).body.meta.source;

  beforeAll(async () => {
    endpoint = await BatchServer.start();
  });
  afterAll(() => endpoint.stop());
  beforeEach(async () => {
    endpoint.reset();
    await removeEverything(service());
  });

  async function aCreator(): Promise<string> {
    const id = uniqueId();
    await service().load('profiles', aProfile({ id }));
    await service().load('content', aContent({ profile_id: id, title: 'Opening the hidden temple' }));
    return id;
  }

  it('makes analyses by one file, at half the price', async () => {
    const ids = [await aCreator(), await aCreator(), await aCreator()];
    const { status, report } = await enrich();
    expect([status, report]).toEqual([0, expect.objectContaining({ made: 3, cost: costOf(3) })]);
    expect(endpoint.batches).toHaveLength(1);
    expect(await Promise.all(ids.map(sourceOf))).toEqual(['model', 'model', 'model']);
    expect(await runForJson(service().testDatabase, 'enrich', 'show', 'live_platform', String(ids[0]))).toMatchObject({
      provenance: { cost: costOf(1) },
    });
  });

  it('repairs invalid answers in the next file, and rejects those that stay invalid', async () => {
    const [good, bad] = [await aCreator(), await aCreator()];
    endpoint.answer = ({ data, body }) =>
      data.profile.id === good && body.messages.length > 2 ? anAnswer(data) : { answer: 'no' };
    const { status, report } = await enrich();
    expect([status, report]).toEqual([2, expect.objectContaining({ made: 1, rejected: 1, cost: costOf(4) })]);
    expect(endpoint.batches).toHaveLength(2);
    expect(await sourceOf(good)).toBe('model');
    expect((await runForJson(service().testDatabase, 'enrich', 'show', 'live_platform', bad)).rejections).toHaveLength(
      1,
    );
  });

  it('holds the limit, and spends what a batch leaves of it in the next one', async () => {
    for (let count = 0; count < 4; count += 1) await aCreator();
    const most = (await enrich('--dry-run')).report.most_cost / 4;
    const { report } = await enrich('--max-cost', (1.5 * most).toFixed(6));
    expect(report).toMatchObject({ made: 4, limit_reached: false, cost: costOf(4) });
    expect(endpoint.batches).toHaveLength(4);
  });

  it('ends when not even one request fits into the limit', async () => {
    for (let count = 0; count < 2; count += 1) await aCreator();
    const most = (await enrich('--dry-run')).report.most_cost / 2;
    const limit = 1.0001 * most + costOf(1) / 2;
    const { report } = await enrich('--max-cost', limit.toFixed(6));
    expect(report).toMatchObject({ made: 1, limit_reached: true, cost: costOf(1) });
  });

  /** Starts a run, and kills it with SIGKILL while the endpoint works on its batch. */
  async function killWhileItWaits(): Promise<void> {
    endpoint.looks = Infinity;
    const { url, folder } = service().testDatabase;
    const args = ['enrich', 'analysis', '--batch', '--poll', '1', '--max-cost', '1', '--json'];
    const killed = await BuiltProcess.start('cli.mjs', args, {
      DATABASE_URL: url,
      DATA_DIR: folder,
      ...endpoint.settings,
    });
    await until('the batch has its ID', async () => {
      const { runs } = await runForJson(service().testDatabase, 'enrich', 'status');
      return endpoint.batches.length === 1 && runs[0]?.batches === 1;
    });
    killed.signal('SIGKILL');
    await killed.ended;
    endpoint.looks = 1;
  }

  it('continues after a kill -9 while it waits, and pays once', async () => {
    await aCreator();
    await aCreator();
    await killWhileItWaits();
    expect((await enrichAnalysis(service(), endpoint.settings)).report.error.message).toMatch(/add --batch$/);
    expect((await enrich()).report).toMatchObject({ made: 2, cost: costOf(2) });
    expect([endpoint.batches.length, endpoint.requests.length]).toEqual([1, 2]);
  });

  it('repairs invalid answers once after a kill -9', async () => {
    await aCreator();
    await aCreator();
    endpoint.answer = ({ data, body }) => (body.messages.length > 2 ? anAnswer(data) : { answer: 'no' });
    await killWhileItWaits();
    expect((await enrich()).report).toMatchObject({ made: 2, failed: 0, cost: costOf(4) });
    expect([endpoint.batches.length, endpoint.requests.length]).toEqual([2, 4]);
  });

  it('finds a batch again whose ID was lost', async () => {
    await aCreator();
    endpoint.losesNextBatch = true;
    const { status, report } = await enrich();
    expect([status, report.error.message]).toEqual([1, expect.stringMatching(/cannot work on batches/)]);
    expect((await enrich()).report).toMatchObject({ made: 1, cost: costOf(1) });
    expect(endpoint.batches).toHaveLength(1);
  });
});
