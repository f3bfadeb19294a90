import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EmbeddedConnection } from '../../src/database/sqlite/embedded-connection.js';
import { runForJson } from '../support/service/command.js';
import { runDrill, ENDS, NO_FAILURES, type Fault } from './support/drill.js';

const TIMEOUT_MS = 120_000;
const DISK = '64m';

describe('a service whose embedded database', () => {
  let folder: string;
  let url: string;
  let holder: EmbeddedConnection | null = null;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'creator-data-disk-'));
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK}`, 'tmpfs', folder]);
    url = `sqlite:${join(folder, 'drill.sqlite')}`;
    await runForJson({ url }, 'migrate');
  }, TIMEOUT_MS);
  afterAll(() => {
    execFileSync('umount', ['-l', folder]);
    rmSync(folder, { recursive: true, force: true });
  });

  const ballast = () => join(folder, 'ballast');
  const faults: Fault[] = [
    {
      name: 'has no room on its disk',
      begin: () => {
        const piece = Buffer.alloc(64 * 1024);
        try {
          for (;;) appendFileSync(ballast(), piece);
        } catch (error) {
          expect((error as NodeJS.ErrnoException).code).toBe('ENOSPC');
        }
      },
      end: () => rmSync(ballast()),
    },
    {
      name: 'has its usage file locked by another process',
      begin: () => {
        holder = new EmbeddedConnection(join(folder, 'drill-usage.sqlite'));
        holder.exec('BEGIN IMMEDIATE');
      },
      end: () => holder?.close(),
    },
  ];

  it.each(faults)(
    '$name: answers within 5 s, reports it, recovers, and bills every answer',
    async (fault) => {
      expect(await runDrill({ url }, fault)).toEqual(NO_FAILURES);
    },
    TIMEOUT_MS,
  );
  describe.each(ENDS)('while the service is %s', (_how, kill) => {
    it.each(faults)(
      '$name: bills every answer',
      async (fault) => {
        expect(await runDrill({ url }, { ...fault, kill })).toEqual(NO_FAILURES);
      },
      TIMEOUT_MS,
    );
  });
});
