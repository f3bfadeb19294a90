import { once } from 'node:events';
import type { Socket } from 'node:net';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { uniqueId } from '../../support/records/builders.js';
import { runInProcess, runForJson } from '../../support/service/command.js';
import { DIALECTS } from '../../support/stores/test-database.js';
import { runBuiltCommand } from '../../support/process/processes.js';
import { connectTo } from '../../support/http/raw-socket.js';
import { describeService, TestService } from '../../support/service/test-service.js';
import { TcpProxy } from '../../support/stores/tcp-proxy.js';
import { until } from '../../support/until.js';
import { exportedRecords, flushUsage } from '../../support/service/usage.js';

const LIVE = '/platforms/live_platform';
const BATCH = JSON.stringify({ profile_ids: Array.from({ length: 100 }, (_, nth) => `p${nth}`) });

/** Blanks before the batch, so that an upload can go on above the least rate for as long as a test takes. */
const BLANKS = ' '.repeat(200_000);
const PIECE_BYTES = 256;
const PIECE_MS = 100;

describeService(
  'a request whose body is still uploading when its month ends',
  (service) => {
    const sockets: Socket[] = [];
    afterEach(async () => {
      for (const socket of sockets.splice(0)) socket.destroy();
      service().clock.reset();
      await service().publishWatermark();
    });

    const usage = (...args: string[]) => runInProcess(service().testDatabase, 'usage', ...args);
    const usageJson = (...args: string[]) => runForJson(service().testDatabase, 'usage', ...args);
    /** Runs the built program, because Jest cannot load the chart library. */
    const invoice = async (keyId: string) => {
      const { url, folder } = service().testDatabase;
      const args = ['usage', 'invoice', '--month', '2018-02', '--key', keyId, '--out', folder, '--json'];
      const { out } = await runBuiltCommand(args, { DATABASE_URL: url, DATA_DIR: folder });
      return JSON.parse(out);
    };
    const aPath = () => join(service().testDatabase.folder, 'archives', uniqueId());

    /** Sets the clock, also in the watermark that the service publishes. */
    const at = async (time: string) => {
      service().clock.stopAt(Date.parse(`${time}Z`));
      await service().publishWatermark();
    };

    /** Begins a batch request, whose body goes on arriving. @returns a function that sends the rest and resolves with the status line */
    const beginUpload = async (key: string): Promise<() => Promise<string>> => {
      const socket = connectTo(service().origin);
      sockets.push(socket);
      const body = Buffer.from(BLANKS + BATCH);
      socket.write(
        `POST ${LIVE}/profiles HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-API-Key: ${key}\r\n` +
          `Content-Type: application/json\r\nContent-Length: ${body.length}\r\nExpect: 100-continue\r\n\r\n`,
      );
      const [head] = (await once(socket, 'data')) as [Buffer];
      expect(String(head)).toMatch(/^HTTP\/1.1 100 /);
      let sent = 0;
      const uploading = setInterval(() => {
        socket.write(body.subarray(sent, sent + PIECE_BYTES));
        sent += PIECE_BYTES;
      }, PIECE_MS);
      socket.once('close', () => clearInterval(uploading));
      return async () => {
        clearInterval(uploading);
        socket.write(body.subarray(sent));
        const [answer] = (await once(socket, 'data')) as [Buffer];
        return String(answer).split('\r\n', 1)[0] ?? '';
      };
    };

    it('keeps the month open until it is recorded; then archive and invoice agree', async () => {
      const { id, key } = await service().newKey(1000);
      await at('2018-02-28T23:59:48');
      await service().get(`${LIVE}/content/none`, { 'x-api-key': key });
      const finish = await beginUpload(key);

      await at('2018-03-01T00:01:02');
      const folder = aPath();
      const early = await usage('archive', '--month', '2018-02', '--out', folder);
      expect([early.status, early.out]).toEqual([1, '']);
      expect(early.err).toMatch(
        new RegExp(
          `^2018-02 is not over, and an archive is final: process ${process.pid} on ${hostname()} \\(writer [0-9a-f]{16}\\), last seen ` +
            '2018-03-01 00:01:02 UTC, has recorded all requests received before 2018-02-28 23:59:48 UTC',
        ),
      );

      const preliminary = await invoice(id);
      expect(preliminary).toMatchObject({ preliminary: true, totals: { requests: 1, quota_units: 1 } });
      expect(readFileSync(preliminary.files[0], 'utf8').split('\n')[1]).toMatch(/,preliminary,$/);
      expect(readFileSync(preliminary.files[1], 'utf8')).toContain('Preliminary');
      const tooEarly = await usage('prune', '--before', '2018-03-01', '--without-archive', '--yes');
      expect([tooEarly.status, tooEarly.out]).toEqual([1, '']);
      expect(tooEarly.err).toMatch(/^the days before 2018-03-01 are not over; nothing was deleted: process \d+ on /);

      await at('2018-03-01T00:02:08');
      expect(await finish()).toBe('HTTP/1.1 200 OK');
      await at('2018-03-01T00:02:09');
      const { totals } = await usageJson('archive', '--month', '2018-02', '--out', folder);
      const bill = await invoice(id);
      expect(bill).toMatchObject({ preliminary: false, totals: { requests: 2, quota_units: 101 } });
      expect(totals).toMatchObject({ records: 2, quota_units: 101 });
      expect(readFileSync(bill.files[0], 'utf8')).not.toContain('preliminary');
      expect(readFileSync(bill.files[1], 'utf8')).not.toContain('Preliminary');
      expect((await usageJson('prune', '--before', '2018-03-01', '--archive', folder, '--yes')).records_deleted).toBe(
        2,
      );
    });

    it('is not dismissed with its process while that process is alive', async () => {
      const id = service().writerId;
      await service().publishWatermark();
      const { status, err } = await usage('archive', '--month', '2016-02', '--out', aPath(), '--dismiss', id);
      expect([status, err]).toEqual([
        1,
        expect.stringMatching(/^process \d+ on .*, is alive: wait for it, or stop it\n$/),
      ]);
    });

    it('has no process given up by a prune that names no archive of its records', async () => {
      await at('2015-01-05T12:00:00');
      await service().get(`${LIVE}/content/none`);
      await flushUsage(service());
      const args = ['prune', '--before', '2015-02-01', '--dismiss', service().writerId, '--yes'];
      const { status, err } = await usage(...args);
      expect([status, err]).toEqual([1, expect.stringMatching(/^name the archives of the records with --archive/)]);
    });

    it('keeps the month open also without a valid key, and at /mcp', async () => {
      await at('2017-02-28T23:59:48');
      const requests = [
        service().get('/usage', { 'x-api-key': 'wrong' }),
        service().post('/mcp', {}, { 'x-api-key': 'wrong' }),
      ];
      for (const { status } of await Promise.all(requests)) expect([401, 403]).toContain(status);
      await at('2017-03-01T00:01:02');
      // Rejections are written with the next group.
      await until('they are recorded', async () => {
        await service().publishWatermark();
        return (await usage('archive', '--month', '2017-02', '--out', aPath())).status === 0;
      });
      expect((await usageJson('summary', '--from', '2017-02-01', '--to', '2017-02-28')).totals.requests).toBe(2);
    });
  },
  { BODY_TIMEOUT_SECONDS: '300' },
);

describeService('usage prune', (service) => {
  afterEach(() => service().clock.reset());

  const usage = (...args: string[]) => runInProcess(service().testDatabase, 'usage', ...args);
  const usageJson = (...args: string[]) => runForJson(service().testDatabase, 'usage', ...args);
  const aPath = () => join(service().testDatabase.folder, 'archives', uniqueId());
  const records = async (month: string) =>
    (await exportedRecords(service(), '--from', `${month}-01`, '--to', `${month}-28`)).length;

  const request = async (time: string) => {
    service().clock.stopAt(Date.parse(`${time}Z`));
    await service().get(`${LIVE}/content/none`);
    service().clock.reset();
    await flushUsage(service());
  };
  const anArchive = async (month: string): Promise<string> => {
    const folder = aPath();
    await usageJson('archive', '--month', month, '--out', folder);
    return folder;
  };

  it('requires the archive of what it deletes, or --without-archive', async () => {
    await request('2011-02-03T10:00:00');
    const { status, err } = await usage('prune', '--before', '2011-03-01', '--yes');
    expect([status, err]).toEqual([
      1,
      expect.stringMatching(/^name the archives of the records with --archive, or add --without-archive/),
    ]);
    expect(await records('2011-02')).toBe(1);
    const both = ['--archive', 'x', '--without-archive'];
    expect((await usage('prune', '--before', '2011-03-01', '--yes', ...both)).err).toMatch(/cannot be used with/);
    expect((await usageJson('prune', '--before', '2011-03-01', '--without-archive', '--yes')).records_deleted).toBe(1);
    expect(await records('2011-02')).toBe(0);
  });

  it('rejects a day that is in none of the archives, and accepts archives of several months', async () => {
    await request('2012-02-03T10:00:00');
    await request('2012-03-04T10:00:00');
    const folders = [await anArchive('2012-02'), await anArchive('2012-03')];
    const [february = '', march = ''] = folders;
    const { status, err } = await usage('prune', '--before', '2012-04-01', '--archive', february, '--yes');
    expect([status, err]).toEqual([
      1,
      '2012-03-04 is in none of the archives: name the archive of its month too; nothing was deleted\n',
    ]);
    const archives = ['--archive', february, '--archive', march];
    expect((await usageJson('prune', '--before', '2012-04-01', ...archives, '--dry-run')).records_deleted).toBe(2);
    expect((await usageJson('prune', '--before', '2012-04-01', ...archives, '--yes')).records_deleted).toBe(2);
  });

  it('rejects a day whose totals differ from its archive, and an incomplete archive', async () => {
    await request('2013-02-03T10:00:00');
    const folder = await anArchive('2013-02');
    // As after a clock that was set back.
    await request('2013-02-03T10:00:01');
    const prune = (archive: string) => usage('prune', '--before', '2013-03-01', '--archive', archive, '--yes');
    const { status, err } = await prune(folder);
    expect([status, err]).toEqual([
      1,
      expect.stringMatching(
        /^on 2013-02-03 key_\w+ came to 2 requests, 2 units and 0 credits, but the archive has 1 request, 1 unit and/,
      ),
    ]);
    expect(await records('2013-02')).toBe(2);
    const another = await anArchive('2013-02');
    rmSync(join(another, 'usage-2013-02-20.ndjson.gz'));
    expect((await prune(another)).err).toMatch(/usage-2013-02-20.ndjson.gz is missing/);
    expect((await prune(await anArchive('2013-02'))).status).toBe(0);
    expect(await records('2013-02')).toBe(0);
  });
});

// Only a server can be disconnected for one of two services.
const describeServer = DIALECTS.includes('mysql') ? describe : describe.skip;

describeServer('two services on one server', () => {
  let well: TestService;
  let cutOff: TestService;
  let proxy: TcpProxy;
  let folder: string;
  beforeAll(async () => {
    well = await TestService.start('mysql');
    folder = mkdtempSync(join(tmpdir(), 'creator-data-test-'));
    proxy = await TcpProxy.to(well.testDatabase.url, 3306);
    cutOff = await well.startSecond({ DATABASE_URL: proxy.urlOf(well.testDatabase.url), DATA_DIR: folder });
  });
  afterAll(async () => {
    await cutOff.stop();
    await well.stop();
    await proxy.close();
    rmSync(folder, { recursive: true });
  });

  it('keep a month open while one of them has an outage to settle, whose records the archive then holds', async () => {
    const archive = (...args: string[]) =>
      runInProcess(well.testDatabase, 'usage', 'archive', '--month', '2018-02', ...args);
    const out = () => join(well.testDatabase.folder, uniqueId());
    for (const service of [well, cutOff]) {
      service.clock.stopAt(Date.parse('2018-02-28T23:59:50Z'));
      await service.publishWatermark();
      expect((await service.get('/usage')).status).toBe(200);
    }
    // The key is known, but the record cannot be stored.
    proxy.hold('INSERT INTO usage_journal');
    expect((await cutOff.get('/usage')).status).toBe(503);
    await proxy.cut();

    for (const service of [well, cutOff]) service.clock.stopAt(Date.parse('2018-03-01T00:05:00Z'));
    await well.publishWatermark();
    await cutOff.publishWatermark().catch(() => undefined);
    const { status, err } = await archive('--out', out());
    expect(status).toBe(1);
    expect(err).toMatch(
      new RegExp(
        `\\(writer ${cutOff.writerId}\\), last seen 2018-02-28 23:59:50 UTC, has recorded all requests received`,
      ),
    );

    await proxy.restore();
    await until('the outage is settled', async () => {
      await cutOff.publishWatermark().catch(() => undefined);
      return (await archive('--out', out())).status === 0;
    });
    const { totals } = await runForJson(well.testDatabase, 'usage', 'archive', '--month', '2018-02', '--out', out());
    expect(totals.records).toBe(3);
  });
});
