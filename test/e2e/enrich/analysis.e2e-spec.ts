import { describe, expect, it } from '@jest/globals';
import { anAnswer } from '../../support/enrich/answers.js';
import { USAGE, type SeenRequest } from '../../support/enrich/chat-server.js';
import { enrichAnalysis, runWithSettings } from '../../support/enrich/enrich-command.js';
import { loadCreator, useChatServer } from '../../support/enrich/use-chat-server.js';
import { aProfile } from '../../support/records/builders.js';
import { runForJson } from '../../support/service/command.js';
import { describeService } from '../../support/service/test-service.js';

const TOKENS = USAGE.prompt_tokens + USAGE.completion_tokens;

describeService('enrich analysis', (service) => {
  const chat = useChatServer(service);
  const enrich = (...args: readonly string[]) => enrichAnalysis(service(), chat().settings, ...args);
  const get = (id: string) => service().get(`/platforms/live_platform/profiles/${id}/analysis`);

  const aCreator = (given: Parameters<typeof loadCreator>[1] = {}) => loadCreator(service(), given);

  it('stores the answer of the model as the analysis, which the API returns with `model` as its source', async () => {
    const id = await aCreator();
    const { status, report } = await enrich();
    expect([status, report]).toEqual([
      0,
      expect.objectContaining({ made: 1, rejected: 0, input_tokens: 1000, output_tokens: 500, cost: 0.0015 }),
    ]);
    const { evidence: _quotes, ...analysis } = anAnswer({ profile: { display_name: `Name ${id}` } });
    const { body } = await get(id);
    expect([body.payload, body.meta.source]).toEqual([analysis, 'model']);
  });

  it('asks with the key, a strict schema, delimited data, a limit of tokens, and no tools', async () => {
    await aCreator();
    await enrich('--output-tokens', '3000');
    const [{ path, headers, body, data }] = chat().requests as [SeenRequest];
    expect([path, headers.authorization]).toEqual(['/v1/chat/completions', 'Bearer sk-secret-of-the-test']);
    expect(body).toMatchObject({
      model: 'test-model',
      max_tokens: 3000,
      response_format: { type: 'json_schema', json_schema: { strict: true } },
    });
    expect(Object.keys(body).toSorted()).toEqual(['max_tokens', 'messages', 'model', 'response_format']);
    expect(body.messages.map(({ role }) => role)).toEqual(['system', 'user']);
    expect(data.content.map(({ title }) => title)).toEqual(['Opening the hidden temple']);
  });

  it('leaves out creators who have an analysis, unless they are named', async () => {
    const id = await aCreator();
    await enrich();
    await service().load('profiles', aProfile({ id, description: 'Paints now' }));
    expect((await enrich()).report).toMatchObject({ made: 0, unchanged: 0 });
    expect((await enrich('--id', id)).report).toMatchObject({ made: 1 });
    expect(chat().requests).toHaveLength(2);
  });

  it('renews what is older, and makes no call for an unchanged input', async () => {
    const [changed, same] = [await aCreator(), await aCreator()];
    await enrich();
    await service().load('profiles', aProfile({ id: changed, description: 'Paints now' }));
    chat().requests.length = 0;
    expect((await enrich('--older-than', '90d')).report).toMatchObject({ made: 0, unchanged: 0 });
    expect((await enrich('--older-than', '0d')).report).toMatchObject({ made: 1, unchanged: 1, cost: 0.0015 });
    expect(chat().requests.map(({ data }) => data.profile.handle)).toEqual([`handle_${changed}`]);
    expect((await enrich('--known')).report).toMatchObject({ made: 0, unchanged: 2, cost: 0 });
    expect((await get(same)).body.meta.source).toBe('model');
  });

  it('pays for an input once, even if an import replaced its analysis meanwhile', async () => {
    const id = await aCreator();
    await enrich();
    const made = (await get(id)).body.payload;
    const imported = { ...made, aliases: [`handle_${id}`] };
    await service().load('analysis', {
      platform_id: 'live_platform',
      profile_id: id,
      updated_at: null,
      analysis: imported,
    });
    expect((await get(id)).body).toMatchObject({ payload: imported, meta: { source: 'database' } });
    expect((await enrich('--id', id)).report).toMatchObject({ made: 0, restored: 1, cost: 0 });
    expect((await get(id)).body).toMatchObject({ payload: made, meta: { source: 'model' } });
    expect(chat().requests).toHaveLength(1);
  });

  it('makes no call for a creator whose records say nothing', async () => {
    await service().load('profiles', aProfile({ description: null }));
    expect((await enrich()).report).toMatchObject({ made: 0, empty: 1 });
    expect(chat().requests).toEqual([]);
  });

  it('asks again with another model, and with another prompt', async () => {
    const id = await aCreator();
    await enrich('--id', id);
    await enrichAnalysis(service(), { ...chat().settings, ENRICH_MODEL: 'other' }, '--id', id);
    expect(chat().requests.map(({ body }) => body.model)).toEqual(['test-model', 'other']);
    expect(await runForJson(service().testDatabase, 'enrich', 'show', 'live_platform', id)).toMatchObject({
      provenance: { model: 'other' },
    });
  });

  it('says with --dry-run what a run would cost, and calls and stores nothing', async () => {
    await aCreator();
    await aCreator();
    const { status, report } = await enrich('--dry-run');
    expect([status, report]).toEqual([0, expect.objectContaining({ dry_run: true, creators: 2, unchanged: 0 })]);
    expect(report.most_cost).toBeGreaterThan(report.cost);
    expect(report.most_tokens).toBe(Math.round(report.most_cost * 1e6));
    const half = String(report.cost * 0.6);
    const { out } = await runWithSettings(
      service(),
      chat().settings,
      'enrich',
      'analysis',
      '--dry-run',
      '--max-cost',
      half,
    );
    expect(out).toContain(`A limit of ${half} pays for about 1 of them.`);
    expect(chat().requests).toEqual([]);
    expect(await runForJson(service().testDatabase, 'enrich', 'status')).toEqual({ runs: [], models: [], rejected: 0 });
  });

  describe('a limit', () => {
    const five = async () => {
      for (let count = 0; count < 5; count += 1) await aCreator();
    };
    /** Most that one call can cost, in tokens. */
    const mostOfOne = async (): Promise<number> => (await enrich('--dry-run')).report.most_tokens / 5;

    it('ends the run before it is exceeded, and the next run continues', async () => {
      await five();
      const most = Math.ceil(await mostOfOne()) + 100;
      const { status, report } = await enrich('--concurrency', '1', '--max-cost', String((most + 1.5 * TOKENS) / 1e6));
      expect([status, report]).toEqual([0, expect.objectContaining({ made: 2, limit_reached: true })]);
      expect(chat().charged).toBe(2 * TOKENS);
      expect((await enrich()).report).toMatchObject({ made: 3, limit_reached: false });
      expect(chat().requests).toHaveLength(5);
    });

    it('that holds no call makes none', async () => {
      await five();
      expect((await enrich('--max-cost', '0.000001')).report).toMatchObject({ made: 0, limit_reached: true });
      expect(chat().requests).toEqual([]);
    });

    it('counts tokens where there are no prices', async () => {
      await five();
      const most = Math.ceil(await mostOfOne()) + 1000;
      const { ENRICH_INPUT_PRICE: _input, ENRICH_OUTPUT_PRICE: _output, ...settings } = chat().settings;
      const run = await enrichAnalysis(service(), settings, '--concurrency', '1', '--max-tokens', String(most));
      expect(run.report).toMatchObject({ made: 1, cost: null, limit_reached: true });
    });

    it('counts a call of unknown usage as it was reserved', async () => {
      await five();
      const most = Math.ceil(await mostOfOne()) + 1000;
      chat().behave = ({ data }) => ({ content: anAnswer(data), usage: null });
      const { report } = await enrich('--concurrency', '1', '--max-cost', String((2 * most) / 1e6));
      expect(report).toMatchObject({ made: 2, limit_reached: true });
    });

    it('stops the run when an endpoint charges more than a call can cost', async () => {
      await five();
      chat().behave = ({ data }) => ({
        content: anAnswer(data),
        usage: { prompt_tokens: 10_000_000, completion_tokens: 1 },
      });
      const { status, report } = await enrich('--concurrency', '1');
      expect([status, report.error.message]).toEqual([1, expect.stringMatching(/^the endpoint charged more tokens/)]);
      expect(chat().requests).toHaveLength(1);
    });
  });

  it.each([
    [[], /^give --max-cost N, the most that the run may spend, or --dry-run$/],
    [['--max-cost', '0'], /It must be an amount above 0/],
    [['--max-cost', '1', '--known', '--older-than', '1d'], /^--known selects all creators/],
    [['--max-cost', '1', '--id', 'x'], /^--id needs --platform/],
    [
      ['--max-cost', '1', '--platform', 'live_platform', '--id', 'nobody'],
      /^no profile nobody of live_platform is stored/,
    ],
    [['--max-cost', '1', '--concurrency', '65'], /It must be a whole number from 1 to 64/],
    [['--max-cost', '1', '--prompt', 'package.json'], /is not a prompt file: its first line must be/],
  ])('rejects %j with one line', async (args, message) => {
    const { status, err } = await runWithSettings(service(), chat().settings, 'enrich', 'analysis', ...args);
    expect([status, err.trimEnd()]).toEqual([1, expect.stringMatching(message)]);
    expect(err.trimEnd()).not.toContain('\n');
  });

  it.each([
    [{ ENRICH_BASE_URL: '' }, 'ENRICH_BASE_URL is not set: it must be'],
    [{ ENRICH_BASE_URL: 'http://user:hidden@x/v1' }, 'ENRICH_BASE_URL must be'],
    [{ ENRICH_MODEL: '' }, 'ENRICH_MODEL is not set: it must be'],
    [{ ENRICH_API_KEY: 'two words' }, 'ENRICH_API_KEY must be'],
    [{ ENRICH_INPUT_PRICE: '-1' }, 'ENRICH_INPUT_PRICE must be'],
    [{ ENRICH_OUTPUT_PRICE: '' }, 'ENRICH_OUTPUT_PRICE is not set: it must be'],
  ])('rejects the settings %j without repeating them', async (wrong, message) => {
    const settings = { ...chat().settings, ...wrong };
    const { status, err } = await runWithSettings(service(), settings, 'enrich', 'analysis', '--max-cost', '1');
    expect([status, err]).toEqual([1, expect.stringContaining(message)]);
    expect(err).not.toContain('hidden');
    expect(err).not.toContain('two words');
  });
});
