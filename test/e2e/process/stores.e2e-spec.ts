import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createConnection } from 'mysql2/promise';
import { linesAbout, missingRequirements } from '../../../scripts/requirements.mjs';
import { ROOT } from '../../support/files/project-root.js';
import { until } from '../../support/until.js';

const NO_STORES = { TEST_MYSQL_URL: 'none', TEST_REDIS_URL: 'none' };

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'creator-data-stand-ins-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Ended {
  readonly status: number | null;
  readonly out: string;
  readonly err: string;
}

/** Runs a program in the project folder, with its own temporary folder. */
function run(program: string, args: readonly string[], env: Readonly<Record<string, string>>): Promise<Ended> {
  const settings = { HOME: process.env.HOME, PATH: process.env.PATH, TMPDIR: folder, ...env };
  return new Promise((resolve) => {
    const child = execFile(program, args, { cwd: ROOT, env: settings, encoding: 'utf8' }, (_error, out, err) =>
      resolve({ status: child.exitCode, out, err }),
    );
  });
}

describe('REQUIRE_ALL=1', () => {
  const jest = (env: Readonly<Record<string, string>>) =>
    run(process.execPath, ['node_modules/jest/bin/jest.js', 'src/model/date-time.spec.ts'], env);

  it('fails before the first test when a store or a tool is missing, and names each', async () => {
    const { status, err } = await jest({ ...NO_STORES, PATH: folder, REQUIRE_ALL: '1' });
    expect(status).toBe(1);
    expect(err).toMatch(/Left out: MySQL .*\n.*Left out: Redis /);
    for (const name of ['jq', 'nginx-light', 'haproxy', 'prometheus']) expect(err).toContain(`(install ${name})`);
    expect(err).not.toContain('PASS');
  });

  it('is off by default: a machine without stores runs the other tests', async () => {
    expect((await jest({ ...NO_STORES, PATH: folder })).status).toBe(0);
  });

  it('names the package to install and the tests that need it', () => {
    expect(linesAbout([{ tool: 'x', tests: 'the ys', packageName: 'z', isThere: () => false }])).toEqual([
      'Left out: the ys (install z)',
    ]);
  });
});

const HAS_MARIADB = missingRequirements().every(({ tool }) => !tool.startsWith('mariadb'));
const describeStores = HAS_MARIADB ? describe : describe.skip;

describeStores('.ci/run without a store', () => {
  /** Adds a program that stands in for a slow one. */
  const standIn = (name: string, script: string) => {
    writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(folder, name), 0o755);
  };
  const PRINT = 'echo "$TEST_MYSQL_URL $TEST_REDIS_URL $REQUIRE_ALL"';
  const ciRun = () => run('bash', ['.ci/run'], { ...NO_STORES, PATH: `${folder}:${process.env.PATH}` });
  const isListening = (port: string) =>
    new Promise<boolean>((resolve) => {
      const socket = connect(Number(port), '127.0.0.1');
      socket.once('connect', () => resolve(socket.destroy() !== null));
      socket.once('error', () => resolve(false));
    });
  /** Finds the ports of the stores in an output. */
  const portsIn = (out: string) => {
    const [, mysql = '', redis = ''] =
      /^mysql:\/\/root@127\.0\.0\.1:(\d+) redis:\/\/127\.0\.0\.1:(\d+)/m.exec(out) ?? [];
    return [mysql, redis] as const;
  };
  const leftovers = () => readdirSync(folder).filter((name) => name.startsWith('creator-data-stores-'));

  beforeAll(() => standIn('apt-get', 'echo "apt-get $*"'));

  it.each([
    ['passes', 0],
    ['fails', 3],
  ])(
    'installs missing packages, starts stores on free ports for the suite, and stops them when it %s',
    async (_how, status) => {
      standIn('npm', `[ "$1" = test ] || exit 0\n${PRINT}\nexit ${status}`);
      const ended = await ciRun();
      expect(ended.status).toBe(status);
      expect(ended.out.includes('apt-get')).toBe(missingRequirements().some(({ packageName }) => packageName !== null));
      expect(ended.out).toMatch(/^mysql:\S+ redis:\S+ 1$/m);
      const ports = portsIn(ended.out);
      expect(ports).not.toContain('3306');
      expect(ports).not.toContain('6379');
      expect(await Promise.all(ports.map(isListening))).toEqual([false, false]);
      expect(leftovers()).toEqual([]);
    },
  );

  it('runs stores that answer, and stops them on a signal', async () => {
    standIn('npm', `[ "$1" = test ] || exit 0\n${PRINT}\nexec sleep 60`);
    const env = { ...NO_STORES, PATH: `${folder}:${process.env.PATH}`, TMPDIR: folder };
    const child = spawn('bash', ['.ci/run'], { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'ignore'] });
    const ended = once(child, 'exit');
    let out = '';
    child.stdout.on('data', (text) => (out += String(text)));
    await until('the suite runs', () => portsIn(out)[0] !== '');
    const [mysql, redis] = portsIn(out);
    const connection = await createConnection({ uri: `mysql://root@127.0.0.1:${mysql}` });
    const [rows] = await connection.query('SELECT @@character_set_server AS charset');
    await connection.end();
    expect(rows).toEqual([{ charset: 'utf8mb4' }]);
    expect(await isListening(redis)).toBe(true);
    child.kill('SIGTERM');
    expect(await ended).toEqual([143, null]);
    expect(await Promise.all([mysql, redis].map(isListening))).toEqual([false, false]);
    expect(leftovers()).toEqual([]);
  });
});
