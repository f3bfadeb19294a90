import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, it } from '@jest/globals';
import type { ModelAnswer } from '../../../src/operator/enrich/answer-schema.js';
import { forgetCreator } from '../../../src/operator/import/forget.js';
import { parseLine } from '../../../src/operator/import/parse-line.js';
import { anAnswer } from '../../support/enrich/answers.js';
import { enrichAnalysis } from '../../support/enrich/enrich-command.js';
import { loadCreator, useChatServer } from '../../support/enrich/use-chat-server.js';
import { uniqueId } from '../../support/records/builders.js';
import { runForJson, runInProcess } from '../../support/service/command.js';
import { describeService, TestService } from '../../support/service/test-service.js';
import { withoutSqlCheck } from '../../support/sql/sql-list.js';

const STATED =
  'Hi, I am Mara Quill, born 3 May 1998, she/her. I live in Lisbon with my husband. Business: mara@quill.example';

/** What a model makes of a creator: members that the description states, with their quotes. */
const statedMembers = (): Partial<ModelAnswer> => ({
  gender: 'female',
  age_range: '25-34',
  real_first_name: 'Mara',
  real_last_name: 'Quill',
  birthday: { birthday_day: 3, birthday_month: 5, birthday_year: 1998 },
  residence: { city: 'Lisbon', state: 'unknown', country_code: 'PT' },
  family: { has_children: null, relationship_status: 'married', notable_family_members: [] },
  evidence: [
    { member: 'gender', quote: 'she/her' },
    { member: 'age_range', quote: 'born 3 May 1998' },
    { member: 'real_first_name', quote: 'I am Mara Quill' },
    { member: 'real_last_name', quote: 'I am Mara Quill' },
    { member: 'birthday', quote: 'born 3 May 1998' },
    { member: 'residence', quote: 'I live in Lisbon' },
    { member: 'family.relationship_status', quote: 'with my husband' },
  ],
});

const KEY = 'sk-secret-of-the-test';

/** Tables that hold what enriching stores about a creator. */
const TABLES = ['creator_analyses', 'analysis_provenance', 'enrichment_journal'];

describeService('an analysis that a model made', (service) => {
  const chat = useChatServer(service);
  const enrich = (...args: readonly string[]) => enrichAnalysis(service(), chat().settings, ...args);
  const command = (...args: string[]) => runForJson(service().testDatabase, ...args);
  const show = (id: string) => command('enrich', 'show', 'live_platform', id);
  const analysisOf = (id: string) => service().get(`/platforms/live_platform/profiles/${id}/analysis`);

  const aCreator = (given: Parameters<typeof loadCreator>[1] = {}) => loadCreator(service(), given);

  const rowsOf = (id: string) =>
    Promise.all(
      TABLES.map(async (table) => {
        const sql = `SELECT 1 FROM ${table} WHERE profile_id = ?`;
        const rows = await withoutSqlCheck(() => service().database.all({ sql }, [id], { source: 'primary' }));
        return rows.length;
      }),
    );

  it('has what the texts of the creator state, with the quotes as evidence', async () => {
    const id = await aCreator({ description: STATED });
    chat().behave = ({ data }) => ({ content: anAnswer(data, statedMembers()) });
    expect((await enrich()).report).toMatchObject({ made: 1, rejected: 0 });
    const { evidence, ...stated } = statedMembers();
    expect((await analysisOf(id)).body.payload).toMatchObject(stated);
    expect((await show(id)).provenance.evidence).toEqual(evidence);
  });

  it('has nulls where another creator states nothing, even if the model guesses at first', async () => {
    const id = await aCreator({ description: 'Plays games' });
    chat().behave = ({ data, isRepair }) => ({ content: anAnswer(data, isRepair ? {} : statedMembers()) });
    expect((await enrich()).report).toMatchObject({ made: 1 });
    expect((await analysisOf(id)).body.payload).toMatchObject({
      gender: null,
      age_range: 'unknown',
      real_first_name: null,
      birthday: null,
      residence: null,
      family: { has_children: null, relationship_status: 'unknown', notable_family_members: [] },
    });
    expect((await show(id)).provenance.evidence).toEqual([]);
  });

  it('may have inferred members only with --include-inferred', async () => {
    const id = await aCreator();
    chat().behave = ({ data }) => ({ content: anAnswer(data, { gender: 'female' }) });
    expect((await enrich()).report).toMatchObject({ made: 0, rejected: 1 });
    expect((await enrich('--include-inferred')).report).toMatchObject({ made: 1 });
    expect((await analysisOf(id)).body.payload.gender).toBe('female');
  });

  it('passes an import, and equals what the model answered', async () => {
    const id = await aCreator({ description: STATED });
    chat().behave = ({ data }) => ({ content: anAnswer(data, statedMembers()) });
    await enrich();
    const { payload } = (await analysisOf(id)).body;
    const line = { platform_id: 'live_platform', profile_id: id, updated_at: null, analysis: payload };
    expect(parseLine('analysis', JSON.stringify(line))).toEqual({ record: line });
  });

  it('has its provenance: model, host, prompt, input, tokens, cost and time', async () => {
    const id = await aCreator();
    await enrich();
    expect((await show(id)).provenance).toEqual({
      platform_id: 'live_platform',
      profile_id: id,
      model: 'test-model',
      host: chat().host,
      prompt_version: expect.stringMatching(/^creator-analysis-1@[0-9a-f]{12}$/),
      input_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      input_tokens: 1000,
      output_tokens: 500,
      cost: 0.0015,
      made_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      evidence: [],
    });
  });

  it('loses its provenance to an import that replaces it, not to one that repeats it', async () => {
    const id = await aCreator();
    await enrich();
    const { made_at } = (await show(id)).provenance;
    const analysis = (await analysisOf(id)).body.payload;
    const line = { platform_id: 'live_platform', profile_id: id, analysis };
    await service().load('analysis', { ...line, updated_at: made_at });
    expect((await analysisOf(id)).body.meta.source).toBe('model');
    await service().load('analysis', { ...line, updated_at: null });
    expect((await analysisOf(id)).body.meta.source).toBe('database');
    expect((await runInProcess(service().testDatabase, 'enrich', 'show', 'live_platform', id)).status).toBe(1);
  });

  it('has the source `model` even if it repeats an imported one', async () => {
    const id = await aCreator();
    await enrich();
    const { made_at: updated_at } = (await show(id)).provenance;
    const line = { platform_id: 'live_platform', profile_id: id, analysis: (await analysisOf(id)).body.payload };
    await service().load('analysis', { ...line, updated_at: null });
    await service().load('analysis', { ...line, updated_at });
    expect((await analysisOf(id)).body.meta.source).toBe('database');
    expect((await enrich('--known')).report).toMatchObject({ restored: 1, cost: 0 });
    expect((await analysisOf(id)).body.meta.source).toBe('model');
  });

  it('keeps its source in a reindex', async () => {
    const id = await aCreator();
    await enrich();
    expect(await command('reindex', 'analysis')).toMatchObject({ changed: 0 });
    expect((await analysisOf(id)).body.meta.source).toBe('model');
  });

  it('is gone with all its traces after `forget`, also from the SQLite files', async () => {
    const secret = `secret-${uniqueId()}`;
    const [id, rejected] = [await aCreator({ description: secret }), await aCreator({ description: secret })];
    chat().behave = ({ data }) => ({
      content: anAnswer(data, {
        biography: secret,
        ...(data.profile.id === rejected ? { aliases: ['invented'] } : {}),
      }),
    });
    await enrich();
    expect([await rowsOf(id), await rowsOf(rejected)]).toEqual([
      [1, 1, 1],
      [0, 0, 1],
    ]);
    for (const each of [id, rejected]) await command('forget', 'live_platform', each, '--yes');
    expect([await rowsOf(id), await rowsOf(rejected)]).toEqual([
      [0, 0, 0],
      [0, 0, 0],
    ]);
    const { dialect, folder } = service().testDatabase;
    // A server's files are its own.
    const file = dialect === 'sqlite' ? readFileSync(join(folder, 'test.sqlite')) : Buffer.alloc(0);
    expect(file.includes(secret)).toBe(false);
  });

  it('is not stored about a creator who is forgotten while the model works', async () => {
    const id = await aCreator();
    chat().behave = async ({ data }) => {
      await forgetCreator(service().database, 'live_platform', id, Date.now());
      return { content: anAnswer(data) };
    };
    expect((await enrich()).report).toMatchObject({ made: 0, gone: 1, cost: 0.0015 });
    expect(await rowsOf(id)).toEqual([0, 0, 0]);
  });

  it('moves with an export to another database, which pays for nothing again', async () => {
    const id = await aCreator({ description: STATED });
    chat().behave = ({ data }) => ({ content: anAnswer(data, statedMembers()) });
    await enrich();
    const folder = join(mkdtempSync(join(service().testDatabase.folder, 'export-')), 'all');
    await command('export', '--out', folder);
    const exported = gunzipSync(readFileSync(join(folder, 'provenance-live_platform.ndjson.gz'))).toString();
    expect(JSON.parse(exported)).toEqual((await show(id)).provenance);
    const other = await TestService.start(service().dialect);
    try {
      expect((await runInProcess(other.testDatabase, 'import', folder)).status).toBe(0);
      const { body } = await other.get(`/platforms/live_platform/profiles/${id}/analysis`);
      expect([body.payload, body.meta.source]).toEqual([(await analysisOf(id)).body.payload, 'model']);
      const again = await enrichAnalysis(other, chat().settings, '--known');
      expect(again.report).toMatchObject({ made: 0, unchanged: 1, cost: 0 });
    } finally {
      await other.stop();
    }
  });

  it('rejects provenance of an analysis that is not stored', async () => {
    const id = await aCreator();
    await enrich();
    const { provenance } = await show(id);
    const { rejected } = await service().loadLines('provenance', [JSON.stringify({ ...provenance, profile_id: 'x' })]);
    expect(rejected.map(({ reason }) => reason)).toEqual([
      'no analysis of this creator is stored: import its analysis first',
    ]);
  });

  it('is in the audit log by counts, and its key in no table', async () => {
    const id = await aCreator();
    const rejected = await aCreator();
    chat().behave = ({ data }) =>
      data.profile.id === id
        ? { content: anAnswer(data, { biography: `The key is ${KEY}.` }) }
        : { content: '', refusal: `The key ${KEY} may not ask.` };
    await enrich();
    const entries = (await command('audit', 'list')) as { command: string; outcome: string; target: object }[];
    const [started, done] = entries.filter((entry) => entry.command === 'enrich analysis').slice(-2);
    expect([started?.outcome, done]).toEqual([
      'started',
      expect.objectContaining({
        outcome: 'rejected',
        target: { model: 'test-model', host: chat().host, platform: 'live_platform', made: 1, rejected: 1 },
      }),
    ]);
    expect((await analysisOf(id)).body.payload.biography).toBe('The key is ….');
    expect((await show(rejected)).rejections[0].reason).toBe('the model refused: The key … may not ask.');
    for (const table of ['audit_log', 'enrichment_runs', 'enrichment_journal', ...TABLES]) {
      const rows = await withoutSqlCheck(() => service().database.all({ sql: `SELECT * FROM ${table}` }, []));
      expect(rows.length).toBeGreaterThan(0);
      // A document is a buffer, whose JSON has no text.
      const texts = rows.flatMap((row) => Object.values(row as object).map(String)).join('\n');
      expect(texts).not.toContain('sk-secret');
    }
  });

  it('shows in a feed of changes', async () => {
    const id = await aCreator();
    await enrich();
    const { body } = await service().get('/platforms/live_platform/changes?kind=analysis&limit=100');
    const items = body.payload as { op: string; id: string }[];
    expect(items.filter((item) => item.id === id)).toMatchObject([{ op: 'upsert' }]);
  });

  it('`enrich status` lists runs with what they spent, and analyses by model', async () => {
    await aCreator();
    await enrich();
    expect(await command('enrich', 'status')).toEqual({
      runs: [
        expect.objectContaining({
          state: 'ended',
          model: 'test-model',
          counts: { made: 1 },
          tokens: 1500,
          cost: 0.0015,
          reserved_tokens: 0,
          max_cost: 1000,
        }),
      ],
      models: [{ model: 'test-model', analyses: 1 }],
      rejected: 0,
    });
  });

  it('`enrich check` compares it with one made by hand, member by member', async () => {
    const id = await aCreator({ description: STATED });
    chat().behave = ({ data }) => ({ content: anAnswer(data, statedMembers()) });
    await enrich();
    const { evidence: _quotes, ...made } = anAnswer({ profile: { display_name: 'x' } }, statedMembers());
    const byHand = { ...made, gender: null, nationality: 'PT', channel_type: 'Individual_Creator' };
    const file = join(service().testDatabase.folder, `${id}.ndjson`);
    const lineOf = (profile_id: string) => ({ platform_id: 'live_platform', profile_id, analysis: byHand });
    const imported = await aCreator();
    await service().load('analysis', lineOf(imported));
    writeFileSync(
      file,
      `${[lineOf(id), lineOf('unknown'), {}, lineOf(imported)].map((line) => JSON.stringify(line)).join('\n')}\n`,
    );
    const { status, out } = await runInProcess(service().testDatabase, 'enrich', 'check', file, '--json');
    const { members, ...counts } = JSON.parse(out);
    expect([status, counts]).toEqual([
      2,
      { compared: 1, missing: 2, rejected: [{ line: 3, reason: 'platform_id is missing' }] },
    ]);
    const of = (name: string) => members.find(({ member }: { member: string }) => member === name);
    expect(of('gender')).toEqual({ member: 'gender', compared: 1, agreement: 0, not_given: 1, invented: 1 });
    expect(of('nationality')).toMatchObject({ agreement: 0, not_given: 0, invented: 0 });
    expect(of('channel_type')).toMatchObject({ agreement: 1 });
    expect(of('residence')).toMatchObject({ agreement: 1 });
  });
});
