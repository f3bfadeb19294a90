import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { aContent, aProfile } from '../../support/records/builders.js';
import { runForJson } from '../../support/service/command.js';
import { createTestDatabase, DIALECTS, type TestDatabase } from '../../support/stores/test-database.js';
import { lockUsage } from '../../support/stores/lock-usage.js';
import { runBuiltCommand, ServiceProcess } from '../../support/process/processes.js';
import { ALL_DAYS, parseExport } from '../../support/service/usage.js';
import { connectTo, exchange, parseAnswers } from '../../support/http/raw-socket.js';

/** Longer than a stopping service keeps idle connections. */
const BEYOND_GRACE_MS = 1200;

describe.each(DIALECTS)('a service that is stopped (%s)', (dialect) => {
  let database: TestDatabase;
  let service: ServiceProcess;
  let key: string;
  beforeEach(async () => {
    database = await createTestDatabase(dialect);
    await runForJson(database, 'migrate');
    ({ key } = await runForJson(database, 'keys', 'create', '--name', 'x', '--rate-limit', '1000000000'));
    service = await ServiceProcess.start({ DATABASE_URL: database.url, DATA_DIR: database.folder });
  });
  afterEach(async () => {
    await service.stop('SIGKILL');
    await database.drop();
  });

  const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: test\r\nx-api-key: ${key}\r\n\r\n`;

  it('answers requests that an outage delays, and announces the end of the connection with the last answer', async () => {
    const unlock = await lockUsage(database);
    try {
      const alone = exchange(service.origin, get('/usage'));
      const pipelined = exchange(service.origin, get('/usage') + get('/usage'), { withinMs: 60_000 });
      await delay(500);
      service.process.signal('SIGTERM');
      const statusesOf = async (sent: ReturnType<typeof exchange>) =>
        (await sent).answers.map(({ status, headers }) => [status, headers.connection]);
      expect(await statusesOf(alone)).toEqual([[503, 'close']]);
      expect(await statusesOf(pipelined)).toEqual([
        [503, 'keep-alive'],
        [503, 'close'],
      ]);
      expect((await service.process.ended).status).toBe(0);
    } finally {
      await unlock();
    }
  });

  if (dialect === 'sqlite') {
    it('leaves files that are complete without their logs', async () => {
      const asked = await exchange(service.origin, get('/usage').repeat(20), { answers: 20 });
      expect(asked.answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
      expect((await service.stop()).status).toBe(0);
      const copies = mkdtempSync(join(tmpdir(), 'creator-data-copy-'));
      for (const file of ['test.sqlite', 'test-usage.sqlite'])
        copyFileSync(join(database.folder, file), join(copies, file));
      const { out } = await runBuiltCommand(['usage', 'export', '--format', 'ndjson', ...ALL_DAYS], {
        DATABASE_URL: `sqlite:${join(copies, 'test.sqlite')}`,
      });
      expect(parseExport(out)).toHaveLength(20);
      rmSync(copies, { recursive: true });
    });
  }

  it('ends as usual in the middle of large reads that nobody waits for', async () => {
    const items = Array.from({ length: 40 }, () => aContent({ description: 'x'.repeat(1_000_000) }));
    const lines = items.map((item) => JSON.stringify(item)).join('\n');
    await runBuiltCommand(['import', 'content', '-'], { DATABASE_URL: database.url }, lines);
    const body = JSON.stringify({ content_ids: items.map(({ content_id }) => content_id) });
    const post =
      `POST /platforms/live_platform/content HTTP/1.1\r\nHost: test\r\nx-api-key: ${key}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    const sockets = Array.from({ length: 24 }, () => connectTo(service.origin));
    for (const socket of sockets) socket.on('error', () => undefined).write(post);
    await delay(500);
    for (const socket of sockets) socket.destroy();
    const { status, out } = await service.stop();
    expect([status, out]).toEqual([0, expect.stringContaining('"stopped"')]);
  });

  it('sends the whole answer to a client that reads slowly', async () => {
    const profile = aProfile();
    const items = Array.from({ length: 50 }, () =>
      aContent({ profile_id: profile.id, description: 'x'.repeat(200_000) }),
    );
    const settings = { DATABASE_URL: database.url };
    await runBuiltCommand(['import', 'profiles', '-'], settings, JSON.stringify(profile));
    await runBuiltCommand(['import', 'content', '-'], settings, items.map((item) => JSON.stringify(item)).join('\n'));
    const socket = connectTo(service.origin);
    socket.write(get(`/platforms/live_platform/profiles/${profile.id}/content?limit=50`));
    const chunks: Buffer[] = [];
    await new Promise((resolve) => socket.once('readable', resolve));
    service.process.signal('SIGTERM');
    await delay(BEYOND_GRACE_MS);
    for await (const chunk of socket) chunks.push(chunk as Buffer);
    const [answer] = parseAnswers(Buffer.concat(chunks));
    expect([answer?.status, answer?.body?.payload?.length]).toEqual([200, 50]);
  });
});
