import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, statfsSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aProfile } from '../../support/records/builders.js';
import { runForJson, withoutProgress } from '../../support/service/command.js';
import { httpRequest } from '../../support/http/request.js';
import { runBuiltCommand, ServiceProcess } from '../../support/process/processes.js';
import { until } from '../../support/until.js';

const MIB = 1024 * 1024;
/** Size of a page and its header in the log, and the most of them that an entry of the audit log changes. */
const PAGE_BYTES = 4096 + 24;
const AUDIT_PAGES = 8;

/** Mounts a disk of a few megabytes. @returns whether the user may mount */
const mounted = (folder: string): boolean =>
  spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64m', 'tmpfs', folder]).status === 0;

const folder = mkdtempSync(join(tmpdir(), 'creator-data-disk-'));
const disk = join(folder);
const isMounted = mounted(disk);
afterAll(() => {
  if (isMounted) spawnSync('umount', ['-l', disk]);
  rmSync(folder, { recursive: true, force: true });
});

const describeDisk = isMounted ? describe : describe.skip;

describeDisk(
  `an import that fills the disk of the embedded database${isMounted ? '' : ' (needs the right to mount)'}`,
  () => {
    const url = `sqlite:${join(disk, 'data.sqlite')}`;
    const settings = { DATABASE_URL: url };
    let input: string;
    let service: ServiceProcess;
    let key: string;
    beforeAll(async () => {
      input = join(mkdtempSync(join(tmpdir(), 'creator-data-input-')), 'profiles.ndjson');
      const file = openSync(input, 'w');
      for (let count = 0; count < 40_000; count += 1)
        writeSync(file, `${JSON.stringify(aProfile({ description: 'x'.repeat(800) }))}\n`);
      closeSync(file);
      ({ key } = await runForJson({ url }, 'keys', 'create', '--name', 'x'));
      service = await ServiceProcess.start(settings);
    });
    afterAll(async () => {
      await service.stop();
      rmSync(join(input, '..'), { recursive: true });
    });

    const status = async (path: string) =>
      (await httpRequest(service.origin, path, { headers: { 'x-api-key': key } })).status;

    it('fails with one line and frees the space of its log, and the service continues to record', async () => {
      const imported = await runBuiltCommand(['import', 'profiles', input], settings);
      expect([imported.status, withoutProgress(imported.err)]).toEqual([
        1,
        expect.stringMatching(/^[^\n]*disk[^\n]* full[^\n]*\n$/),
      ]);
      // The audit log's entry of the failure, after the log was freed.
      expect(statSync(join(disk, 'data.sqlite-wal')).size).toBeLessThanOrEqual(AUDIT_PAGES * PAGE_BYTES);
      const { bavail, bsize } = statfsSync(disk);
      expect(bavail * bsize).toBeGreaterThan(4 * MIB);
      await until('requests are answered', async () => (await status('/platforms/live_platform/profiles')) === 200);
      for (let count = 0; count < 100; count += 1) expect(await status('/usage')).toBe(200);
    });
  },
);
