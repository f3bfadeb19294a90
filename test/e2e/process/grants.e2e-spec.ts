import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createConnection } from 'mysql2/promise';
import { getMetadataArgsStorage } from 'typeorm';
import { ENTITIES } from '../../../src/schema/entities.js';
import { ROOT } from '../../support/files/project-root.js';
import { createTestDatabase, DIALECTS, type TestDatabase } from '../../support/stores/test-database.js';
import { httpRequest } from '../../support/http/request.js';
import { untilIndexBuilt } from '../../support/search/own-index.js';
import { failedStart, runBuiltCommand, ServiceProcess } from '../../support/process/processes.js';
import { ALL_DAYS, parseExport } from '../../support/service/usage.js';

const REDIS_URL = process.env.TEST_REDIS_URL ?? '';

/** One process, and workers if there is a Redis for them. */
const START_SETTINGS: readonly Readonly<Record<string, string>>[] = [
  {},
  ...(REDIS_URL === '' ? [] : [{ WORKERS: '2', REDIS_URL }]),
];

const describeOnMysql = DIALECTS.includes('mysql') ? describe : describe.skip;

/** A user for this test only. */
interface User {
  readonly name: string;
  readonly url: string;
}

describeOnMysql('deploy/grants.sql', () => {
  let database: TestDatabase;
  let service: User;
  let operator: User;
  const users: string[] = [];

  const sql = async (url: string, ...statements: readonly string[]): Promise<void> => {
    const connection = await createConnection({ uri: url });
    try {
      for (const statement of statements) await connection.query(statement);
    } finally {
      await connection.end();
    }
  };
  const run = async (user: User, args: readonly string[], input: string | Buffer = ''): Promise<string> => {
    const { status, out, err } = await runBuiltCommand(args, { DATABASE_URL: user.url }, input);
    if (status !== 0) throw new Error(`${args.join(' ')}: ${err}`);
    return out;
  };

  beforeAll(async () => {
    database = await createTestDatabase('mysql');
    const administrator = { name: 'root', url: database.url };
    const suffix = randomBytes(6).toString('hex');
    const userOf = async (role: string): Promise<User> => {
      const url = new URL(database.url);
      [url.username, url.password] = [`cd_${role}_${suffix}`, randomBytes(12).toString('hex')];
      await sql(database.url, `CREATE USER ${url.username} IDENTIFIED BY '${url.password}'`);
      users.push(url.username);
      return { name: url.username, url: url.toString() };
    };
    [service, operator] = [await userOf('service'), await userOf('operator')];
    await run(administrator, ['migrate']);
    const name = new URL(database.url).pathname.slice(1);
    const grants = readFileSync(join(ROOT, 'deploy/grants.sql'), 'utf8')
      .replaceAll(/^--.*$/gm, '')
      .replaceAll(/\bcreator_data_service\b/g, service.name)
      .replaceAll(/\bcreator_data_operator\b/g, operator.name)
      .replaceAll(/\bcreator_data\./g, `${name}.`);
    const statements = grants.split(';').filter((statement) => statement.trim() !== '');
    await sql(database.url, ...statements);
    // Grants outlive tables: the operator can create the tables again.
    await sql(database.url, `DROP DATABASE ${name}`, `CREATE DATABASE ${name}`);
    await run(operator, ['migrate']);
  });
  afterAll(async () => {
    await sql(database.url, ...users.map((name) => `DROP USER ${name}`));
    await database.drop();
  });

  it('let a start of the service without any key end with one line that names the command to create one', async () => {
    const settings = { DATABASE_URL: service.url, DATA_DIR: database.folder };
    for (const more of START_SETTINGS) {
      const { status, out, err } = await failedStart({ ...settings, ...more });
      const line = /^Cannot start: there is no API key yet: .*"npm run -s cli -- keys create --name NAME"\n$/;
      expect([status, out, err]).toEqual([1, '', expect.stringMatching(line)]);
    }
  });

  it('are all that "doctor" wants of the user of the service, and it names each that is missing', async () => {
    const name = new URL(database.url).pathname.slice(1);
    const check = async (): Promise<unknown> => {
      const { out } = await runBuiltCommand(['doctor', '--json'], { DATABASE_URL: service.url });
      const { checks } = JSON.parse(out) as { checks: { name: string }[] };
      return checks.find((each) => each.name === 'grants');
    };
    expect(await check()).toMatchObject({ state: 'good' });
    const text = readFileSync(join(ROOT, 'deploy/grants.sql'), 'utf8');
    const grants = [...text.matchAll(/^GRANT ([A-Z, ]+) ON creator_data\.(\w+) TO creator_data_service/gm)];
    const rights = grants
      .flatMap(([, list = '', table = '']) => list.split(', ').map((right) => [right, table]))
      // Every other right on a table is worth nothing without it.
      .filter(([right]) => right !== 'SELECT');
    expect(rights.length).toBeGreaterThan(7);
    for (const [right, table] of rights) {
      await sql(database.url, `REVOKE ${right} ON ${name}.${table} FROM ${service.name}`);
      const message = `the database user ${service.name} lacks ${right} on ${table}: apply deploy/grants.sql`;
      expect(await check()).toMatchObject({ state: 'bad', message });
      await sql(database.url, `GRANT ${right} ON ${name}.${table} TO ${service.name}`);
    }
  });

  it('are checked by "doctor" for the operator, who must be able to add to the audit log', async () => {
    const name = new URL(database.url).pathname.slice(1);
    const grantsOf = async (user: User) => {
      const { out } = await runBuiltCommand(['doctor', '--json'], { DATABASE_URL: user.url });
      const { checks } = JSON.parse(out) as { checks: { name: string }[] };
      return checks.find((each) => each.name === 'grants');
    };
    const message = `the database user ${operator.name} has all rights that the service needs`;
    expect(await grantsOf(operator)).toMatchObject({
      state: 'good',
      message: `${message}; doctor with the DATABASE_URL of the service checks its user`,
    });
    const administrator = { name: 'root', url: database.url };
    expect(await grantsOf(administrator)).toMatchObject({
      state: 'good',
      message: expect.stringContaining('may also delete entries of the audit log'),
    });
    await sql(database.url, `REVOKE INSERT ON ${name}.* FROM ${operator.name}`);
    await sql(database.url, `GRANT INSERT ON ${name}.api_keys TO ${operator.name}`);
    expect(await grantsOf(operator)).toMatchObject({
      state: 'bad',
      message: expect.stringContaining('INSERT on audit_log'),
    });
    await sql(database.url, `GRANT INSERT ON ${name}.* TO ${operator.name}`);
  });

  it('let a start of the service without a right of this file end with one line that names the file', async () => {
    const name = new URL(database.url).pathname.slice(1);
    await run(operator, ['keys', 'create', '--name', 'first']);
    await sql(database.url, `REVOKE INSERT ON ${name}.usage_writers FROM ${service.name}`);
    const { status, out, err } = await failedStart({ DATABASE_URL: service.url, DATA_DIR: database.folder });
    await sql(database.url, `GRANT INSERT ON ${name}.usage_writers TO ${service.name}`);
    expect([status, out, err]).toEqual([1, '', expect.stringMatching(/^Cannot start: .*apply deploy\/grants\.sql\n$/)]);
  });

  it('permit every command of the operator, and the service to answer and to record every request', async () => {
    const { id, key } = JSON.parse(await run(operator, ['keys', 'create', '--name', 'x', '--json']));
    for (const kind of ['games', 'profiles', 'content', 'analysis', 'audience', 'socials', 'emails']) {
      await run(operator, ['import', kind, join(ROOT, `sample-data/${kind}.ndjson`)]);
    }
    for (const kind of ['profiles', 'content', 'games']) await run(operator, ['reindex', kind]);
    await run(operator, ['enrich', 'status']);
    const [profile = ''] = readFileSync(join(ROOT, 'sample-data/emails.ndjson'), 'utf8').split('\n');
    const { platform_id, profile_id } = JSON.parse(profile);
    const of = `/platforms/${platform_id}`;
    const batch = (members: object) => ({ method: 'POST', body: JSON.stringify(members) });
    const requests = [
      [`${of}/profiles`],
      [`${of}/profiles`, batch({ profile_ids: [profile_id] })],
      [`${of}/profiles/lookup`, batch({ handles: ['x'] })],
      [`${of}/profiles/search`, batch({ text: 'a' })],
      [`${of}/profiles/${profile_id}`],
      [`${of}/profiles/${profile_id}/content`],
      [`${of}/content`],
      [`${of}/content`, batch({ content_ids: ['x'] })],
      ['/games/search?query=a'],
      [`${of}/profiles/${profile_id}/socials`],
      [`${of}/profiles/${profile_id}/email`],
      ['/usage'],
      ['/health'],
    ] as const;
    const running = await ServiceProcess.start({ DATABASE_URL: service.url, DATA_DIR: database.folder });
    try {
      const statuses: number[] = [];
      await untilIndexBuilt(database.folder);
      for (const [path, options = {}] of requests) {
        const headers = { 'x-api-key': key, 'content-type': 'application/json' };
        statuses.push((await httpRequest(running.origin, path, { ...options, headers })).status);
      }
      expect(statuses).toEqual(requests.map(() => 200));
    } finally {
      await running.stop();
    }
    const records = parseExport(await run(operator, ['usage', 'export', '--format', 'ndjson', ...ALL_DAYS]));
    expect(records).toHaveLength(requests.length - 1);
    for (const command of [
      ['migrate', '--status'],
      ['keys', 'list'],
      ['keys', 'limit', id, '5'],
      ['keys', 'policy', id, '--hide', 'sensitive'],
      ['keys', 'plan', id, '--month-units', '1000'],
      ['keys', 'expire', id, 'none'],
      ['keys', 'customer', id, 'x'],
      ['keys', 'rotate', id],
      ['keys', 'revoke', id],
      ['usage', 'summary', ...ALL_DAYS, '--by', 'customer'],
      ['usage', 'prune', '--before', '2026-01-01', '--without-archive', '--yes'],
      ['forget', platform_id, profile_id, '--yes'],
      ['forget', platform_id, profile_id, '--undo'],
      ['audit', 'list'],
    ]) {
      await run(operator, command);
    }
  });

  it('may be lost while the service runs: what needs the right is a free 503 until it is back, without a restart', async () => {
    const name = new URL(database.url).pathname.slice(1);
    const { key } = JSON.parse(await run(operator, ['keys', 'create', '--name', 'lost', '--json']));
    const running = await ServiceProcess.start({ DATABASE_URL: service.url, DATA_DIR: database.folder });
    const lookUp = async () => {
      const path = '/platforms/live_platform/profiles/none';
      const { status, headers } = await httpRequest(running.origin, path, { headers: { 'x-api-key': key } });
      return [status, headers['x-quota-units'], headers['retry-after']];
    };
    try {
      expect(await lookUp()).toEqual([404, '1', undefined]);
      await sql(database.url, `REVOKE SELECT ON ${name}.profiles FROM ${service.name}`);
      expect(await lookUp()).toEqual([503, '0', '5']);
      await sql(database.url, `GRANT SELECT ON ${name}.profiles TO ${service.name}`);
      expect(await lookUp()).toEqual([404, '1', undefined]);
    } finally {
      await running.stop();
    }
  });

  it('permit the service to remove a record and to add to totals', async () => {
    await expect(
      sql(
        service.url,
        "DELETE FROM usage_journal WHERE day = 0 AND first_at = 0 AND group_id = ''",
        'UPDATE usage_totals SET requests = requests + 0',
      ),
    ).resolves.toBeUndefined();
  });

  it('name every table, so that the service can read all but the audit log and what collectors note', async () => {
    const text = readFileSync(join(ROOT, 'deploy/grants.sql'), 'utf8');
    const tables = ENTITIES.map(
      (entity) => getMetadataArgsStorage().tables.find(({ target }) => target === entity)?.name,
    );
    const granted = (pattern: RegExp) => new Set(Array.from(text.matchAll(pattern), ([, table]) => table));
    const expected = new Set([...tables.filter((name) => name !== 'audit_log'), 'schema_migrations']);
    const ofService = new Set([...expected].filter((name) => name?.startsWith('collect_') !== true));
    expect(granted(/^GRANT SELECT.* ON creator_data\.(\w+) TO creator_data_service/gm)).toEqual(ofService);
    expect(granted(/^GRANT UPDATE, DELETE ON creator_data\.(\w+) TO creator_data_operator/gm)).toEqual(expected);
  });

  it('permit the service to keep the months of keys with an allowance', async () => {
    await expect(
      sql(
        service.url,
        "SELECT quota_units FROM key_months WHERE key_id = 'x' AND month = 202601 FOR UPDATE",
        "INSERT INTO key_months (key_id, month, quota_units, credits) VALUES ('x', 202601, 1, 1) ON DUPLICATE KEY UPDATE credits = credits + 1",
      ),
    ).resolves.toBeUndefined();
  });

  it.each([
    'SELECT * FROM audit_log',
    "INSERT INTO audit_log VALUES (0, 'x', 'x', 'x', 'x', '{}', 'x')",
    'DELETE FROM audit_log',
    'DROP TABLE profiles',
    'TRUNCATE TABLE emails',
    'ALTER TABLE profiles ADD COLUMN more INT',
    'CREATE TABLE more (id INT)',
    'DELETE FROM profiles',
    "UPDATE creator_analyses SET document = '{}'",
    "INSERT INTO emails VALUES (1, 'x', 0, '{}')",
    'UPDATE games SET unpopularity = 0',
    'DELETE FROM content',
    'DELETE FROM forgotten_profiles',
    'UPDATE api_keys SET revoked_at = NULL, policy = NULL',
    "INSERT INTO api_keys (id, name, hash, created_at) VALUES ('x', 'x', 'x', 0)",
    "UPDATE secrets SET value = 'x'",
    'UPDATE counters SET value = 0',
    "UPDATE usage_journal SET document = ''",
    'DELETE FROM usage_totals',
    'DROP TABLE usage_journal',
  ])('deny the service: %s', async (statement) => {
    await expect(sql(service.url, statement)).rejects.toThrow(/denied/);
  });

  it.each([
    "UPDATE audit_log SET os_user = 'x'",
    'DELETE FROM audit_log',
    'DROP TABLE profiles',
    'TRUNCATE TABLE usage_journal',
    'CREATE USER somebody',
    'SELECT * FROM mysql.user',
    "SELECT LOAD_FILE('/etc/passwd') INTO OUTFILE '/tmp/x'",
  ])('deny the operator: %s', async (statement) => {
    await expect(sql(operator.url, statement)).rejects.toThrow(/denied/);
  });
});
