import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { EmbeddedConnection } from '../../../src/database/sqlite/embedded-connection.js';
import { runForJson } from '../../support/service/command.js';
import { createTestDatabase } from '../../support/stores/test-database.js';
import { freePort } from '../../support/stores/free-port.js';
import { httpRequest } from '../../support/http/request.js';
import { ServiceProcess } from '../../support/process/processes.js';

const REDIS_URL = process.env.TEST_REDIS_URL ?? '';

/** Sends ten requests for the usage and one for an unknown profile. @returns the metrics that Prometheus scrapes */
async function scrapeAfterRequests(settings: Readonly<Record<string, string>>, ready = /"serving"/) {
  const database = await createTestDatabase('sqlite');
  const port = await freePort();
  try {
    await runForJson(database, 'migrate');
    const { key } = await runForJson(database, 'keys', 'create', '--name', 'x');
    const service = await ServiceProcess.start({
      DATABASE_URL: database.url,
      METRICS_PORT: String(port),
      ...settings,
    });
    await service.process.printed(ready);
    const paths = [...Array<string>(10).fill('/usage'), '/platforms/live_platform/profiles/none'];
    await Promise.all(paths.map((path) => httpRequest(service.origin, path, { headers: { 'x-api-key': key } })));
    const origin = `http://127.0.0.1:${port}`;
    const scraped = await fetch(`${origin}/metrics`);
    const elsewhere = await fetch(`${origin}/`);
    const onPublicPort = await httpRequest(service.origin, '/metrics', {});
    await service.stop();
    return {
      status: scraped.status,
      type: scraped.headers.get('content-type'),
      text: await scraped.text(),
      elsewhere: elsewhere.status,
      onPublicPort: onPublicPort.status,
    };
  } finally {
    await database.drop();
  }
}

describe('METRICS_PORT', () => {
  it('serves requests by operation and status and the state of the process, without a key, on that port only', async () => {
    const { status, type, text, elsewhere, onPublicPort } = await scrapeAfterRequests({});
    expect([status, type]).toEqual([200, expect.stringMatching(/^text\/plain/)]);
    expect(text).toMatch(/^creator_data_requests_total\{operation="usage\.get",status="200"\} 10$/m);
    expect(text).toMatch(/^creator_data_requests_total\{operation="profiles\.get",status="404"\} 1$/m);
    expect(text).toMatch(/^creator_data_rejections_dropped_total 0$/m);
    expect(text).toMatch(/^process_resident_memory_bytes \d+$/m);
    expect([elsewhere, onPublicPort]).toEqual([404, 401]);
  });

  it('counts a request by its final status: 503 when its record could not be written', async () => {
    const database = await createTestDatabase('sqlite');
    const port = await freePort();
    await runForJson(database, 'migrate');
    const { key } = await runForJson(database, 'keys', 'create', '--name', 'x');
    const service = await ServiceProcess.start({ DATABASE_URL: database.url, METRICS_PORT: String(port) });
    const usage = new EmbeddedConnection(join(database.folder, 'test-usage.sqlite'), { fileMustExist: true });
    try {
      usage.exec('BEGIN IMMEDIATE');
      const { status } = await httpRequest(service.origin, '/usage', { headers: { 'x-api-key': key } });
      expect(status).toBe(503);
      const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
      expect(text.match(/^creator_data_requests_total.*/gm)).toEqual([
        'creator_data_requests_total{operation="usage.get",status="503"} 1',
      ]);
    } finally {
      usage.close();
      await service.stop();
      await database.drop();
    }
  });

  if (REDIS_URL !== '') {
    it('serves the sum of all processes with WORKERS=2', async () => {
      const { status, text } = await scrapeAfterRequests({ WORKERS: '2', REDIS_URL }, /"serving"[^]*"serving"/);
      expect(status).toBe(200);
      expect(text).toMatch(/^creator_data_requests_total\{operation="usage\.get",status="200"\} 10$/m);
      expect(text).toMatch(/^creator_data_requests_total\{operation="profiles\.get",status="404"\} 1$/m);
      // The states of stores are not summed: 1 means that every process reaches the store.
      for (const gauge of ['redis_up', 'database_up', 'usage_up', 'build_info\\{.*\\}']) {
        expect(text).toMatch(new RegExp(`^creator_data_${gauge} 1$`, 'm'));
      }
    });
  }
});
