import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { buildOnce } from '../../support/process/build.js';
import { aProfile, uniqueId } from '../../support/records/builders.js';
import { readManifestOf } from '../../support/records/export-folder.js';
import { TestService } from '../../support/service/test-service.js';

const PROFILES = 10_000;

// V8 compiles code that runs often. Compiled code holds only what the rest of a function uses, and the garbage collector then frees
// what nothing else holds, such as a statement whose rows are being read.
it('an export whose code is compiled reads all records', async () => {
  await buildOnce();
  const service = await TestService.start('sqlite');
  try {
    const id = uniqueId();
    await service.load('profiles', ...Array.from({ length: PROFILES }, (_, nth) => aProfile({ id: `${id}-${nth}` })));
    const { url, folder } = service.testDatabase;
    const out = join(folder, 'export');
    const command = ['dist/bundle/cli.mjs', 'export', 'profiles', '--out', out];
    const { status, signal } = spawnSync(process.execPath, ['--always-turbofan', ...command], {
      env: { PATH: process.env.PATH, DATABASE_URL: url },
    });
    expect([status, signal]).toEqual([0, null]);
    expect(readManifestOf(out).files.map(({ records }) => records)).toEqual([PROFILES]);
  } finally {
    await service.stop();
  }
});
