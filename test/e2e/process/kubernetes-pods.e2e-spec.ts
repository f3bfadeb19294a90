import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, DIALECTS, type TestDatabase } from '../../support/stores/test-database.js';
import { freePort } from '../../support/stores/free-port.js';
import { httpRequest } from '../../support/http/request.js';
import { containerOf, environmentOf, PODS, programOf, type Probe } from '../../support/deployment/kubernetes.js';
import { lockUsage } from '../../support/stores/lock-usage.js';
import { present } from '../../support/present.js';
import { runBuiltCommand, ServiceProcess, type ProcessResult } from '../../support/process/processes.js';

const SERVICE = containerOf('service');

/** Node's permission model in place of a read-only root: permits everything but writing outside a folder. */
const writingOnlyTo = (folder: string): string => {
  const known = process.allowedNodeEnvironmentFlags;
  const net = known.has('--allow-net') ? ['--allow-net'] : [];
  return [
    known.has('--permission') ? '--permission' : '--experimental-permission',
    '--allow-fs-read=*',
    `--allow-fs-write=${folder}/`,
    '--allow-worker',
    '--allow-addons',
    ...net,
  ].join(' ');
};

/** Node's message for a denied access. */
const DENIED = 'Access to this API has been restricted';

describe.each(DIALECTS)('the pods of deploy/kubernetes (%s)', (dialect) => {
  let database: TestDatabase;
  let key: string;
  let first: ProcessResult;

  /** Returns the settings of a pod, with the stores of the test. */
  const settingsOf = (pod: string): Record<string, string> => ({
    ...environmentOf(pod),
    DATABASE_URL: database.url,
    DATABASE_PASSWORD: '',
    REDIS_URL: '',
    ...(pod === 'service' ? { DATA_DIR: database.folder } : {}),
  });
  /** Runs a command as a pod does. */
  const run = (pod: string, [program, ...args]: readonly string[]): Promise<ProcessResult> => {
    expect(program).toMatch(/^(\/app\/)?dist\/bundle\/cli\.mjs$/);
    return runBuiltCommand(args, settingsOf(pod));
  };
  const startService = async (more: Readonly<Record<string, string>> = {}): Promise<ServiceProcess> => {
    expect(programOf('service')).toEqual(['dist/bundle/main.mjs']);
    const ports = { PORT: String(await freePort()), METRICS_PORT: String(await freePort()) };
    return ServiceProcess.start({ ...settingsOf('service'), ...ports, ...more });
  };
  /** Probes as the kubelet does, which repeats one that was too late. @returns the status */
  const probe = async ({ origin }: ServiceProcess, what: Probe | undefined): Promise<number> => {
    const { httpGet, timeoutSeconds, failureThreshold } = present(what);
    expect(httpGet.port).toBe('http');
    for (let failures = 1; ; failures += 1) {
      try {
        const answer = await fetch(origin + httpGet.path, { signal: AbortSignal.timeout(timeoutSeconds * 1000) });
        await answer.text();
        return answer.status;
      } catch (error) {
        if (failures === failureThreshold) throw error;
      }
    }
  };
  const probeAll = async (service: ServiceProcess): Promise<number[]> => [
    await probe(service, SERVICE.startupProbe),
    await probe(service, SERVICE.livenessProbe),
    await probe(service, SERVICE.readinessProbe),
  ];

  beforeAll(async () => {
    database = await createTestDatabase(dialect);
    first = await run('migrate', programOf('migrate'));
    const created = await run('operator', ['/app/dist/bundle/cli.mjs', 'keys', 'create', '--name', 'x', '--json']);
    ({ key } = JSON.parse(created.out));
  });
  afterAll(() => database.drop());

  it('migrate an empty database, and do nothing to a migrated one', async () => {
    expect([first.status, first.out]).toEqual([0, expect.stringContaining('Applied: ')]);
    const second = await run('migrate', programOf('migrate'));
    expect([second.status, second.out]).toEqual([0, 'The database was up to date.\n']);
  });

  it('are alive and ready, in an outage alive but not ready, and answer their requests before they stop', async () => {
    const service = await startService();
    expect(await probeAll(service)).toEqual([200, 200, 200]);
    const unlock = await lockUsage(database);
    try {
      // Wait until the last record is too old to prove that the store works.
      const { periodSeconds, failureThreshold } = present(SERVICE.readinessProbe);
      const deadline = performance.now() + periodSeconds * failureThreshold * 1000;
      while ((await probe(service, SERVICE.readinessProbe)) === 200 && performance.now() < deadline) await delay(100);
      expect(await probeAll(service)).toEqual([200, 200, 503]);
      const held = httpRequest(service.origin, '/usage', { headers: { 'x-api-key': key } });
      await delay(500);
      const startedAt = performance.now();
      expect((await service.stop()).status).toBe(0);
      expect((await held).status).toBe(503);
      const { terminationGracePeriodSeconds = 0 } = present(PODS.service).spec;
      const left = terminationGracePeriodSeconds - present(SERVICE.lifecycle).preStop.sleep.seconds;
      expect(performance.now() - startedAt).toBeLessThan(left * 1000);
    } finally {
      await unlock();
    }
  });

  it('write only to the mounted folder', async () => {
    const service = await startService({ NODE_OPTIONS: writingOnlyTo(database.folder) });
    const headers = { 'x-api-key': key };
    for (const path of ['/usage', '/games/search?query=a', '/platforms/live_platform/content', '/docs', '/health']) {
      expect([path, (await httpRequest(service.origin, path, { headers })).status]).toEqual([path, 200]);
    }
    const unlock = await lockUsage(database);
    // Its record is in the folder before the answer is sent.
    expect((await httpRequest(service.origin, '/usage', { headers })).status).toBe(503);
    await unlock();
    const { status, out, err } = await service.stop();
    expect([status, (out + err).includes(DENIED)]).toEqual([0, false]);
  });

  it('are detected when they write to another folder', async () => {
    // The embedded database cannot be opened there.
    const output = await startService({ NODE_OPTIONS: writingOnlyTo('/app/data') }).then(
      async (service) => (await service.stop()).out,
      String,
    );
    expect(output).toContain(DENIED);
  });
});
