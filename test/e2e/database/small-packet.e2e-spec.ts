import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readConfig } from '../../../src/model/config.js';
import type { UsageGroup } from '../../../src/receipts/usage-record.js';
import { UsageStore } from '../../../src/receipts/usage-store.js';
import { UsageTotalEntity } from '../../../src/receipts/usage.entities.js';
import { openDatabase } from '../../../src/schema/open-database.js';
import { OwnMariadb } from '../../faults/support/own-mariadb.js';
import { aContent, aProfile, aTwitchUser, uniqueId } from '../../support/records/builders.js';
import { runInProcess, runForJson, withoutProgress } from '../../support/service/command.js';
import { httpRequest } from '../../support/http/request.js';
import { ServiceProcess } from '../../support/process/processes.js';
import { toNdjson } from '../../support/sources/sources.js';

const MIB = 1024 * 1024;

const HAS_SERVER = spawnSync('mariadbd', ['--version']).status === 0;
const describeServer = HAS_SERVER ? describe : describe.skip;

/** Text that grows when it is escaped in JSON and again in SQL: quotes and backslashes. */
const awkward = (length: number): string => '"\\é漢'.repeat(Math.ceil(length / 4)).slice(0, length);

// The setting is global, so the test starts its own server.
describeServer('a server with a max_allowed_packet of 1 MiB', () => {
  const folder = mkdtempSync(join(tmpdir(), 'creator-data-packet-'));
  let server: OwnMariadb;
  let place: { url: string; folder: string };
  beforeAll(async () => {
    server = await OwnMariadb.start();
    await server.sql(`SET GLOBAL max_allowed_packet = ${MIB}`);
    place = { url: server.url, folder };
    await runForJson(place, 'migrate');
  });
  afterAll(async () => {
    await server.remove();
    rmSync(folder, { recursive: true });
  });

  const aFile = (name: string, ...records: readonly object[]): string => {
    const path = join(folder, name);
    writeFileSync(path, toNdjson(...records));
    return path;
  };
  const several = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make);
  /** Creates a record whose document has exactly this many bytes. */
  const ofBytes = (bytes: number) => {
    const content = aContent({ description: '' });
    return { ...content, description: 'x'.repeat(bytes - Buffer.byteLength(JSON.stringify(content))) };
  };

  it('accepts imports of any size, in statements that fit', async () => {
    const profiles = several(3000, () => aProfile({ description: awkward(1000) }));
    const items = [
      ...several(300, () => aContent({ description: awkward(20_000) })),
      aContent({ description: awkward(150_000) }),
    ];
    for (const [kind, records] of [
      ['profiles', profiles],
      ['content', items],
    ] as const) {
      // The second import replaces every record.
      for (let time = 0; time < 2; time += 1) {
        const [report] = await runForJson(place, 'import', kind, aFile(`${kind}.ndjson`, ...records));
        expect(report).toMatchObject({ loaded: records.length, rejected: 0 });
      }
    }
  });

  it('is asked about forgotten creators in lists that fit, however many links a line has', async () => {
    await runInProcess(place, 'forget', 'video_platform', 'nobody', '--unknown');
    const line = () => ({
      platform_id: 'live_platform',
      profile_id: uniqueId(),
      links: several(4500, () => ({ id: `${uniqueId()}${'i'.repeat(130)}`, platform_id: 'video_platform' })),
    });
    const [report] = await runForJson(place, 'import', 'socials', aFile('socials.ndjson', line(), line()));
    expect(report).toMatchObject({ loaded: 2, rejected: 0 });
  });

  it('gets no record that does not fit: its line is rejected, naming the setting, and the others load', async () => {
    const records = [aContent(), ofBytes(MIB - 16 * 1024), ofBytes(MIB - 16 * 1024 + 1), aContent()];
    const reason = 'record is larger than the database accepts: its max_allowed_packet is 1,048,576 bytes';
    const file = aFile('large.ndjson', ...records);
    const dry = await runInProcess(place, 'import', 'content', file, '--dry-run', '--json');
    const real = await runInProcess(place, 'import', 'content', file, '--json');
    for (const { status, out } of [dry, real]) {
      expect([status, JSON.parse(out)[0]]).toMatchObject([
        2,
        { loaded: 3, rejected: 1, reasons: [{ reason, lines: 1 }] },
      ]);
    }
    expect(JSON.parse(readFileSync(`${file}.rejected.ndjson`, 'utf8'))).toMatchObject({ line: 3, reason });
    const strict = await runInProcess(place, 'import', 'content', file, '--strict');
    expect([strict.status, strict.err]).toEqual([1, `${file}: line 3: ${reason}; nothing of it was loaded\n`]);
  });

  it('accepts ingested records, and those that do not fit are rejected', async () => {
    const user = (description: string) => aTwitchUser(uniqueId(), description);
    const users = [...several(2500, () => user(awkward(1000))), user('x'.repeat(MIB - 16 * 1024))];
    const response = (some: readonly object[]) => ({
      url: 'https://api.twitch.tv/helix/users',
      fetched_at: '2026-01-31T09:30:00Z',
      body: { data: some },
    });
    const file = aFile('users.ndjson', ...users.map((one) => response([one])));
    for (let time = 0; time < 2; time += 1) {
      const { status, out, err } = await runInProcess(place, 'ingest', 'twitch', file, '--json');
      expect([status, withoutProgress(err)]).toEqual([2, '']);
      expect(JSON.parse(out)).toMatchObject({ records: { profiles: 2500 }, rejected: 1 });
    }
    expect(readFileSync(`${file}.rejected.ndjson`, 'utf8')).toContain('max_allowed_packet is 1,048,576 bytes');
  });

  it('accepts and settles the largest group of usage records', async () => {
    const database = await openDatabase(readConfig({ DATABASE_URL: place.url }).database);
    // As many as a process handles concurrently, with the maximum of rejections, each of another key.
    const group: UsageGroup = {
      id: uniqueId(),
      day: 20260131,
      records: several(1024 + 500, () => ({
        request_id: '0b7c8c1e-2f3a-4b5c-8d9e-0f1a2b3c4d5e',
        occurred_at: Date.UTC(2026, 0, 31),
        key_id: `key_${uniqueId()}`.slice(0, 32),
        operation: 'profiles.get' as const,
        platform: 'video_platform' as const,
        status: 200,
        quota_units: 1,
        credits: 1_000_000,
        items_returned: 100,
        duration_ms: 30_000,
      })),
    };
    const store = new UsageStore(database);
    try {
      await store.write([group]);
      await store.settle([group]);
      expect(await database.dataSource.getRepository(UsageTotalEntity).sum('requests')).toBe(1524);
    } finally {
      await database.close();
    }
  });

  it('answers the largest record and a batch of the longest IDs', async () => {
    const { key } = await runForJson(place, 'keys', 'create', '--name', 'x');
    const large = ofBytes(MIB - 16 * 1024);
    const ids = several(100, () => `${uniqueId()}${'漢'.repeat(70)}`);
    await runForJson(place, 'import', 'content', aFile('read.ndjson', large));
    await runForJson(place, 'import', 'profiles', aFile('batch.ndjson', ...ids.map((id) => aProfile({ id }))));
    const service = await ServiceProcess.start({ DATABASE_URL: place.url });
    try {
      const headers = { 'x-api-key': key };
      const path = `/platforms/${large.platform}/content/${large.content_id}`;
      const one = await httpRequest(service.origin, path, { headers });
      expect([one.status, one.body.payload.description.length]).toEqual([200, large.description.length]);
      const all = await httpRequest(service.origin, '/platforms/live_platform/profiles', {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify({ profile_ids: ids }),
      });
      expect([all.status, all.body.payload.length]).toEqual([200, 100]);
    } finally {
      await service.stop();
    }
  });

  it('is reported by doctor, with the recommended value', async () => {
    const { out } = await runInProcess(place, 'doctor');
    expect(out).toMatch(/^warning +packet +max_allowed_packet is 1 MiB: .*set it to 4 MiB or more/m);
    await server.sql(`SET GLOBAL max_allowed_packet = ${4 * MIB}`);
    expect((await runInProcess(place, 'doctor')).out).toMatch(/^ok +packet +max_allowed_packet is 4 MiB$/m);
    await server.sql(`SET GLOBAL max_allowed_packet = ${MIB}`);
  });
});
