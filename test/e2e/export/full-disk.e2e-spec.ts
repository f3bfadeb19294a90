import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { aProfile } from '../../support/records/builders.js';
import { runInProcess } from '../../support/service/command.js';
import { TestService } from '../../support/service/test-service.js';

const folder = mkdtempSync(join(tmpdir(), 'creator-data-disk-'));
const disk = join(folder, 'disk');
mkdirSync(disk);
const isMounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', disk]).status === 0;
afterAll(() => {
  if (isMounted) spawnSync('umount', ['-l', disk]);
  rmSync(folder, { recursive: true, force: true });
});

// The written files do not depend on the database.
(isMounted ? describe : describe.skip)(
  `an export that fills its disk${isMounted ? '' : ' (needs the right to mount)'}`,
  () => {
    it('fails with one line and leaves nothing behind', async () => {
      const service = await TestService.start('sqlite');
      try {
        const text = () => randomBytes(2000).toString('base64');
        await service.load('profiles', ...Array.from({ length: 2000 }, () => aProfile({ description: text() })));
        const { status, out, err } = await runInProcess(service.testDatabase, 'export', '--out', join(disk, 'export'));
        expect([status, out]).toEqual([1, '']);
        expect(err).toBe('the disk is full: free some space, then run the same command again\n');
        expect(readdirSync(disk)).toEqual([]);
      } finally {
        await service.stop();
      }
    });
  },
);
