import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { buildOnce } from '../../support/process/build.js';
import { ROOT } from '../../support/files/project-root.js';
import { runForJson } from '../../support/service/command.js';
import { createTestDatabase, type TestDatabase } from '../../support/stores/test-database.js';
import { lockUsage } from '../../support/stores/lock-usage.js';
import { ProcessTree } from '../../support/process/process-tree.js';
import { httpRequest } from '../../support/http/request.js';
import { connectTo, parseAnswers } from '../../support/http/raw-socket.js';
import { HAS_TERMINAL } from '../../support/process/terminal.js';
import { until } from '../../support/until.js';
import { yamlDocuments } from '../../support/files/yaml.js';

const REDIS_URL = process.env.TEST_REDIS_URL ?? '';

const textOf = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** Shells for npm's `script-shell` that this machine has. */
const SHELLS = ['dash', 'bash'].filter((shell) => spawnSync(shell, ['-c', ':']).status === 0);

const UNIT = /^ExecStart=\/usr\/bin\/node (.*)$/m.exec(textOf('deploy/systemd/creator-data.service'))?.[1] ?? '';
const IMAGE = JSON.parse(/^CMD (\[.*\])$/m.exec(textOf('Dockerfile'))?.[1] ?? '[]') as readonly string[];

const refusesConnections = (origin: string): Promise<boolean> =>
  httpRequest(origin, '/health/live').then(
    () => false,
    ({ code }: NodeJS.ErrnoException) => code === 'ECONNREFUSED',
  );

interface Way {
  readonly name: string;
  readonly command: readonly string[];
  readonly settings?: Readonly<Record<string, string>>;
  readonly processes?: number;
}

const WAYS: readonly Way[] = [
  { name: 'npm start', command: ['npm', 'start'] },
  ...SHELLS.map((shell) => ({
    name: `npm run start:prod, by ${shell}`,
    command: ['npm', 'run', 'start:prod'],
    settings: { npm_config_script_shell: shell },
  })),
  { name: 'the unit of systemd', command: ['node', ...UNIT.split(' ')] },
  { name: 'the command of the image', command: IMAGE },
  ...(REDIS_URL === ''
    ? []
    : [
        ['node', 'dist/bundle/main.mjs'],
        ['npm', 'run', 'start:prod'],
      ].map((command) => ({
        name: `WORKERS=2 ${command.join(' ')}`,
        command,
        settings: { WORKERS: '2', REDIS_URL },
        processes: 2,
      }))),
];

/** Creates a copy of the project as it is after installing and building. */
function checkout(parts: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'creator-data-checkout-'));
  for (const part of ['package.json', 'package-lock.json', 'scripts']) {
    cpSync(join(ROOT, part), join(folder, part), { recursive: true });
  }
  for (const part of ['node_modules', 'src', 'migrations', 'sample-data', ...parts]) {
    mkdirSync(join(folder, part, '..'), { recursive: true });
    symlinkSync(join(ROOT, part), join(folder, part));
  }
  for (const part of ['tsconfig.json', 'tsconfig.build.json', 'nest-cli.json'])
    cpSync(join(ROOT, part), join(folder, part));
  // Make the sources older than the installed and built files, so that nothing is rebuilt.
  for (const part of [
    'package-lock.json',
    'scripts/bundle.mjs',
    'tsconfig.json',
    'tsconfig.build.json',
    'nest-cli.json',
  ]) {
    utimesSync(join(folder, part), 0, 0);
  }
  return folder;
}

describe('a service that is started by', () => {
  let folder: string;
  let database: TestDatabase;
  let key: string;
  beforeAll(async () => {
    await buildOnce();
    folder = checkout(['dist']);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  beforeEach(async () => {
    database = await createTestDatabase('sqlite');
    await runForJson(database, 'migrate');
    ({ key } = await runForJson(database, 'keys', 'create', '--name', 'x'));
  });
  afterEach(() => database.drop());

  const started = async ({ command, settings, processes }: Way): Promise<ProcessTree> => {
    const tree = await ProcessTree.start(command, { DATABASE_URL: database.url, ...settings }, folder);
    await tree.serving(processes);
    return tree;
  };
  /** Runs `act` while a request waits for its record.
   * @param stopping processes that print that they stop; 0 if the service cannot print any more
   * @returns status and `Connection` header of its answer */
  const whileInFlight = async (tree: ProcessTree, act: () => void, stopping = 1) => {
    const unlock = await lockUsage(database);
    const head = `HTTP/1.1\r\nHost: test\r\nx-api-key: ${key}\r\n\r\n`;
    const socket = connectTo(tree.origin);
    const chunks: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    const ended = once(socket, 'end');
    // The first answer shows that the second request has arrived, too.
    socket.write(`GET /health/live ${head}GET /usage ${head}`);
    await once(socket, 'data');
    act();
    if (stopping > 0) await tree.printed('"stopping"', stopping);
    await until('it accepts no more connections', () => refusesConnections(tree.origin));
    await delay(300);
    await unlock();
    await ended;
    socket.destroy();
    const [, ...answers] = parseAnswers(Buffer.concat(chunks));
    return answers.map(({ status, headers }) => [status, headers.connection]);
  };
  const LAST = [[200, 'close']];

  describe.each(WAYS)('$name', (way) => {
    it.each([
      ['SIGTERM', 'first'],
      ['SIGINT', 'group'],
    ] as const)('answers what is in flight at %s to the %s, and leaves nothing behind', async (signal, whom) => {
      const tree = await started(way);
      // A primary stops its workers after itself.
      const stopping = way.processes === undefined ? 1 : 1 + way.processes;
      expect(await whileInFlight(tree, () => tree.signal(signal, whom), stopping)).toEqual(LAST);
      const status = await tree.ended();
      expect([status, tree.pids(), await tree.gone()]).toEqual([0, [], true]);
    });
  });

  const npm: Way = { name: 'npm run start:prod', command: ['npm', 'run', 'start:prod'] };
  const node: Way = { name: 'node', command: ['node', ...UNIT.split(' ')] };

  it.each([
    { ...node, signal: 'SIGTERM', whom: 'group', status: 0 },
    { ...node, signal: 'SIGINT', whom: 'first', status: 0 },
    { ...node, signal: 'SIGHUP', whom: 'first', status: 'SIGHUP' },
    { ...npm, signal: 'SIGTERM', whom: 'group', status: 0 },
    { ...npm, signal: 'SIGINT', whom: 'first', status: 0 },
    // npm does not forward these signals; they end npm itself.
    { ...npm, signal: 'SIGHUP', whom: 'group', status: 'SIGHUP' },
    { ...npm, signal: 'SIGHUP', whom: 'first', status: 'SIGHUP' },
    { ...npm, signal: 'SIGKILL', whom: 'first', status: 'SIGKILL' },
  ] as const)(
    '$name answers what is in flight at $signal to the $whom, too, and leaves nothing behind',
    async ({ signal, whom, status, ...way }) => {
      const tree = await started(way);
      expect(await whileInFlight(tree, () => tree.signal(signal, whom))).toEqual(LAST);
      expect([await tree.ended(), await tree.gone()]).toEqual([status, true]);
    },
  );

  if (HAS_TERMINAL) {
    it('node answers what is in flight when its terminal is closed', async () => {
      const tree = await started({ ...node, command: ['script', '-qec', node.command.join(' '), '/dev/null'] });
      expect(await whileInFlight(tree, () => tree.signal('SIGKILL'), 0)).toEqual(LAST);
      expect([await tree.ended(), await tree.gone()]).toEqual(['SIGKILL', true]);
    });
  }

  it('node serves, answers and stops while the disk behind its log is full', async () => {
    const command = ['sh', '-c', `exec ${node.command.join(' ')} > /dev/full`];
    const tree = await ProcessTree.start(command, { DATABASE_URL: database.url }, folder);
    const serves = () =>
      httpRequest(tree.origin, '/health/live')
        .then(() => true)
        .catch(() => false);
    await until('it serves', serves);
    expect(await whileInFlight(tree, () => tree.signal('SIGTERM'), 0)).toEqual(LAST);
    expect([await tree.ended(), await tree.gone()]).toEqual([0, true]);
  });

  it('node answers what is in flight however many signals come', async () => {
    const tree = await started(node);
    let others: Promise<void> = Promise.resolve();
    const signals = () => {
      tree.signal('SIGTERM');
      // Signals that wait together are delivered by number, so a SIGHUP would be the first.
      others = tree.printed('"stopping"').then(() => {
        for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGTERM'] as const) tree.signal(signal);
      });
    };
    expect(await whileInFlight(tree, signals)).toEqual(LAST);
    await others;
    expect([await tree.ended(), await tree.gone()]).toEqual([0, true]);
  });
});

describe('npm start', () => {
  it.each([
    ['SIGTERM', 'first'],
    ['SIGINT', 'group'],
  ] as const)('that is stopped while it builds, by %s to the %s, leaves nothing behind', async (signal, whom) => {
    const folder = checkout([]);
    const tree = await ProcessTree.start(['npm', 'start'], {}, folder);
    try {
      await tree.printed('Building...');
      await delay(1000);
      tree.signal(signal, whom);
      expect([await tree.ended(), await tree.gone()]).toEqual([signal, true]);
    } finally {
      tree.kill();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

describe('files for containers', () => {
  const GRACE_S = 30;
  const SERVES = ['node', 'dist/bundle/main.mjs'];

  it('has the image run node itself, without a shell or npm', () => {
    expect(IMAGE).toEqual(['node', 'scripts/first-start.mjs']);
    expect(textOf('Dockerfile')).not.toMatch(/^ENTRYPOINT/m);
  });

  it('has Compose run node itself, and wait for requests in flight', () => {
    const [{ services }] = yamlDocuments('docker-compose.yml') as [
      { services: Record<string, { build?: string; command?: string; stop_grace_period?: string }> },
    ];
    const ours = Object.entries(services).filter(([, { build }]) => build !== undefined);
    // Compose splits a command into words itself, without a shell.
    const commands = Object.fromEntries(ours.map(([name, { command }]) => [name, command?.split(' ') ?? IMAGE]));
    expect(commands).toEqual({
      service: IMAGE,
      'with-mysql': IMAGE,
      prepare: [...IMAGE, '--only-prepare'],
      replica: SERVES,
    });
    const graces = ours.filter(([name]) => name !== 'prepare').map(([, { stop_grace_period: grace }]) => grace);
    expect(new Set(graces)).toEqual(new Set([`${GRACE_S}s`]));
  });

  it('has Kubernetes run node itself, and wait for requests in flight', () => {
    const [set] = yamlDocuments('deploy/kubernetes/statefulset.yaml') as [
      { spec: { template: { spec: { terminationGracePeriodSeconds: number; containers: { command: string[] }[] } } } },
    ];
    const { terminationGracePeriodSeconds: grace, containers } = set.spec.template.spec;
    expect([grace, containers.map(({ command }) => command)]).toEqual([GRACE_S, [SERVES]]);
  });

  it('has systemd signal the first process alone, and wait for requests in flight', () => {
    const unit = textOf('deploy/systemd/creator-data.service');
    expect(UNIT.split(' ')).toEqual(SERVES.slice(1));
    expect(unit).toMatch(/^KillMode=mixed$/m);
    expect(unit).toMatch(new RegExp(`^TimeoutStopSec=${GRACE_S}$`, 'm'));
  });
});
