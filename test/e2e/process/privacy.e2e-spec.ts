import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openDatabase } from '../../../src/schema/open-database.js';
import { readConfig } from '../../../src/model/config.js';
import { aProfile } from '../../support/records/builders.js';
import { createTestDatabase, DIALECTS, type TestDatabase } from '../../support/stores/test-database.js';
import { untilIndexBuilt } from '../../support/search/own-index.js';
import { httpRequest, type Answer, type RequestOptions } from '../../support/http/request.js';
import { runBuiltCommand, ServiceProcess, type ProcessResult } from '../../support/process/processes.js';
import { withoutSqlCheck } from '../../support/sql/sql-list.js';
import { ALL_DAYS } from '../../support/service/usage.js';

/** Texts that callers send or receive, and that must not be logged. */
const ADDRESS = '203.0.113.77';
const SEARCHED = 'zanzibar-quest';
const HANDLE = 'whoever_is_looked_up';
const PROFILE = 'profile-asked-for';
const EMAIL = 'private.person@example.com';

describe.each(DIALECTS)('personal data of callers (%s)', (dialect) => {
  let database: TestDatabase;
  let service: ServiceProcess;
  let ended: ProcessResult | undefined;
  let key: string;
  const settings = () => ({
    DATABASE_URL: database.url,
    DATA_DIR: database.folder,
    LOG_LEVEL: 'debug',
    TRUST_PROXY: '1',
  });
  const run = async (args: readonly string[], input?: object): Promise<string> => {
    const { status, out, err } = await runBuiltCommand(
      args,
      settings(),
      input === undefined ? '' : JSON.stringify(input),
    );
    if (status !== 0) throw new Error(`${args.join(' ')}: ${err}`);
    return out;
  };

  beforeAll(async () => {
    database = await createTestDatabase(dialect);
    await run(['migrate']);
    key = JSON.parse(await run(['keys', 'create', '--name', 'x', '--json'])).key;
    await run(['import', 'profiles', '-'], aProfile({ id: PROFILE }));
    await run(['import', 'emails', '-'], { platform_id: 'live_platform', profile_id: PROFILE, email: EMAIL });
    service = await ServiceProcess.start(settings());
    await untilIndexBuilt(database.folder);
  });
  afterAll(async () => {
    if (ended === undefined) await service.stop();
    await database.drop();
  });

  /** Sends personal data in every way that a request permits. */
  async function ask(): Promise<Answer[]> {
    const live = '/platforms/live_platform';
    const lookup = { method: 'POST', body: JSON.stringify({ handles: [HANDLE] }) };
    const requests: readonly (readonly [string, RequestOptions?])[] = [
      [`/games/search?query=${SEARCHED}`],
      [`${live}/profiles/${PROFILE}/email`],
      [`${live}/profiles/${PROFILE}`],
      [`${live}/profiles/lookup`, lookup],
      [`${live}/profiles/search`, { ...lookup, body: JSON.stringify({ text: SEARCHED, exclude_ids: [PROFILE] }) }],
      [`/games/search?query=${SEARCHED}&unknown=${EMAIL}`],
      [`/no/such/path/${EMAIL}?query=${SEARCHED}`],
      [`/%E0/${EMAIL}`],
      [`${live}/profiles/lookup`, { ...lookup, body: `{"${HANDLE}` }],
      [`${live}/profiles/${PROFILE}`, { headers: { 'x-api-key': `${key}0` } }],
    ];
    const answers: Answer[] = [];
    for (const [path, options = {}] of requests) {
      const headers = { 'x-api-key': key, 'x-forwarded-for': ADDRESS, 'content-type': 'application/json' };
      const all = { ...options, headers: { ...headers, ...options.headers } };
      answers.push(await httpRequest(service.origin, path, all));
    }
    return answers;
  }

  /** Makes statements on these tables fail with an error that is not an outage. */
  async function breakTables(): Promise<void> {
    const opened = await openDatabase(readConfig(settings()).database);
    try {
      for (const table of ['profiles', 'emails', 'games']) {
        await opened.dataSource.query(`ALTER TABLE ${table} RENAME COLUMN document TO gone`);
      }
      await opened.dataSource.query('ALTER TABLE profiles RENAME COLUMN followers TO gone_too');
    } finally {
      await opened.close();
    }
  }

  const secrets = () => [key, key.slice(4, 44), SEARCHED, HANDLE, PROFILE, EMAIL, ADDRESS];

  it('is not in the log at debug level, for requests that succeed, are rejected or fail', async () => {
    expect((await ask()).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 400, 404, 400, 400, 403]);
    await withoutSqlCheck(breakTables);
    const failed = (await ask()).filter(({ status }) => status === 500);
    expect(failed.length).toBeGreaterThan(0);
    // The answer contains nothing of the error either.
    for (const { body } of failed)
      expect(body.error).toEqual(
        expect.objectContaining({ status: 500, message: 'Internal server error', code: 'internal_error' }),
      );
    ended = await service.stop();
    const log = ended.out + ended.err;
    expect(log).toContain('"level":20');
    expect(log).toContain('request failed');
    expect(secrets().filter((secret) => log.includes(secret))).toEqual([]);
  });

  it('is not in the usage record, except for the ID of the key', async () => {
    const records = await run(['usage', 'export', '--format', 'ndjson', ...ALL_DAYS]);
    expect(records.trimEnd().split('\n').length).toBeGreaterThanOrEqual(18);
    expect(records).toMatch(/"key_id":"key_/);
    expect(secrets().filter((secret) => records.includes(secret))).toEqual([]);
  });
});
