import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ROOT } from '../../support/files/project-root.js';
import { runForJson } from '../../support/service/command.js';
import { createTestDatabase, DIALECTS, type TestDatabase } from '../../support/stores/test-database.js';
import { freePort } from '../../support/stores/free-port.js';
import { httpRequest } from '../../support/http/request.js';
import { present } from '../../support/present.js';
import { until } from '../../support/until.js';
import { ServiceProcess } from '../../support/process/processes.js';

const REDIS_URL = process.env.TEST_REDIS_URL ?? '';
const HAS_PROMTOOL = spawnSync('promtool', ['--version']).error === undefined;
const FOLDER = join(ROOT, 'deploy/monitoring');

const read = (file: string): string => readFileSync(join(FOLDER, file), 'utf8');

/** Finds the names of metrics in expressions. */
const metricsIn = (text: string): string[] => [
  ...new Set(text.match(/\b(?:creator_data|nodejs|process)_[a-z0-9_]+/g) ?? []),
];

/** Lists the expressions of all panels. */
const dashboardExpressions = (): string =>
  (JSON.parse(read('grafana-dashboard.json')) as { panels: { targets: { expr: string }[] }[] }).panels
    .flatMap(({ targets }) => targets.map(({ expr }) => expr))
    .join('\n');

describe.each(DIALECTS)('a scrape of a service that has answered (%s)', (dialect) => {
  let database: TestDatabase;
  let service: ServiceProcess;
  let text: string;
  let plannedId: string;

  beforeAll(async () => {
    database = await createTestDatabase(dialect);
    const port = await freePort();
    await runForJson(database, 'migrate');
    const { key } = await runForJson(database, 'keys', 'create', '--name', 'x', '--rate-limit', '3');
    const plan = ['--month-units', '10', '--month-credits', '10'];
    const planned = await runForJson(database, 'keys', 'create', '--name', 'planned', ...plan);
    plannedId = String(planned.id);
    service = await ServiceProcess.start({
      DATABASE_URL: database.url,
      METRICS_PORT: String(port),
      ...(REDIS_URL === '' ? {} : { REDIS_URL }),
    });
    for (let count = 0; count < 4; count += 1) {
      await httpRequest(service.origin, '/platforms/live_platform/content', { headers: { 'x-api-key': key } });
    }
    for (let count = 0; count < 31; count += 1) {
      await httpRequest(service.origin, '/usage', { headers: { 'x-api-key': 'wrong' } });
    }
    await httpRequest(service.origin, '/platforms/live_platform/profiles?limit=9', {
      headers: { 'x-api-key': String(planned.key) },
    });
    text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  });
  afterAll(async () => {
    await service.stop();
    await database.drop();
  });

  const valueOf = (sample: string): number =>
    Number(present(text.split('\n').find((line) => line.startsWith(`${sample} `))).slice(sample.length + 1));

  it('has request durations by operation and status class, with every request in the last bucket', () => {
    const labels = 'operation="content.list",status="2xx"';
    expect(valueOf(`creator_data_request_duration_seconds_bucket{le="+Inf",${labels}}`)).toBe(3);
    expect(valueOf(`creator_data_request_duration_seconds_count{${labels}}`)).toBe(3);
    expect(valueOf(`creator_data_request_duration_seconds_sum{${labels}}`)).toBeGreaterThan(0);
  });

  it('has the durations of reads and of waiting for usage records', () => {
    expect(valueOf('creator_data_store_read_duration_seconds_count')).toBeGreaterThanOrEqual(3);
    expect(valueOf('creator_data_record_wait_duration_seconds_count')).toBe(5);
  });

  it('has the used part of the month allowance of keys with one, the higher of both', async () => {
    expect(text.match(/^creator_data_key_allowance_used_ratio.*/gm)).toEqual([
      `creator_data_key_allowance_used_ratio{key_id="${plannedId}"} 0.9`,
    ]);
    await until('it is warned', () => service.process.out.includes('a key reached a threshold'));
    expect(service.process.out).toMatch(
      new RegExp(`"level":40.*"key_id":"${plannedId}","month":"\\d{4}-\\d\\d","percent":80,"quota_units":9`),
    );
  });

  it('counts 429 by the exceeded limit', () => {
    expect(valueOf('creator_data_limit_rejections_total{limit="minute"}')).toBe(1);
    // Other tests may have used part of the attempts of this address.
    expect(valueOf('creator_data_limit_rejections_total{limit="wrong_keys"}')).toBeGreaterThanOrEqual(1);
  });

  it('has the number of groups of usage records, and of unsettled records', () => {
    expect(valueOf('creator_data_record_groups_total{outcome="recorded"}')).toBe(5);
    expect(valueOf('creator_data_records_unsettled')).toBe(0);
  });

  it('has the connection pools of MySQL', () => {
    expect(text.includes('creator_data_pool_connections{pool="primary",state="idle"}')).toBe(dialect === 'mysql');
  });

  it('has the versions of the service, of Node.js and of the database', () => {
    expect(text).toMatch(
      new RegExp(`^creator_data_build_info\\{version="[\\d.]+",node="v[\\d.]+",database="${dialect}"\\} 1$`, 'm'),
    );
  });

  it('has the state of the database and of recording usage', () => {
    expect([valueOf('creator_data_database_up'), valueOf('creator_data_usage_up')]).toEqual([1, 1]);
  });

  it('has the state of a shared Redis', () => {
    expect(/^creator_data_redis_up 1$/m.test(text)).toBe(REDIS_URL !== '');
  });

  it('has every metric that the dashboard and the alert rules name', () => {
    const shown = new Set(metricsIn(text));
    const named = metricsIn(dashboardExpressions() + read('alerts.yml').replaceAll(/summary: .*/g, ''));
    expect(named.length).toBeGreaterThan(10);
    // The metrics of commands are in files of their own.
    const collect = readFileSync(join(ROOT, 'src/operator/collect/collect-metrics.ts'), 'utf8');
    const ofCommands = (name: string) => collect.includes(`'${name.replace('creator_data_', '')}'`);
    expect(named.filter((name) => !shown.has(name) && !ofCommands(name))).toEqual([]);
  });

  if (HAS_PROMTOOL) {
    it('follows the conventions of Prometheus', () => {
      expect(execFileSync('promtool', ['check', 'metrics'], { input: text, encoding: 'utf8' })).toBe('');
    });
  }
});

(HAS_PROMTOOL ? describe : describe.skip)('the files for Prometheus', () => {
  const promtool = (...args: string[]): string =>
    execFileSync('promtool', args, { cwd: FOLDER, encoding: 'utf8', stdio: 'pipe' });

  it('are accepted as rules and as a configuration', () => {
    expect(promtool('check', 'rules', 'alerts.yml')).toContain('SUCCESS');
    expect(promtool('check', 'config', 'prometheus.yml')).toContain('SUCCESS');
  });

  it('raise their alerts in an outage, and not before', () => {
    expect(promtool('test', 'rules', 'alerts.test.yml')).toContain('SUCCESS');
  });
});
