import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ROOT } from '../../support/files/project-root.js';
import { buildOnce } from '../../support/process/build.js';
import { aProfile } from '../../support/records/builders.js';
import { runForJson, runInProcess } from '../../support/service/command.js';
import { createTestDatabase, DIALECTS, type TestDatabase } from '../../support/stores/test-database.js';

const HEADING = '## From the embedded database to MySQL';

if (!DIALECTS.includes('mysql')) {
  it('the way from the embedded database to MySQL was not tested: there is no MySQL', () => {
    expect(DIALECTS).toEqual(['sqlite']);
  });
} else {
  let embedded: TestDatabase;
  let mysql: TestDatabase;
  beforeAll(async () => {
    await buildOnce();
    embedded = await createTestDatabase('sqlite');
    mysql = await createTestDatabase('mysql');
  });
  afterAll(async () => {
    await embedded.drop();
    await mysql.drop();
  });

  it('the commands of docs/operations.md move the store from the embedded database to MySQL, and delete the export', async () => {
    const [, section = ''] = readFileSync(join(ROOT, 'docs/operations.md'), 'utf8').split(HEADING);
    const [, commands = ''] = /^```sh\n(.*?)^```/ms.exec(section) ?? [];
    const lines = join(embedded.folder, 'profiles.ndjson');
    writeFileSync(lines, JSON.stringify(aProfile({ id: 'moved' })));
    await runForJson(embedded, 'import', 'profiles', lines);
    const bin = join(embedded.folder, 'bin');
    mkdirSync(bin);
    writeFileSync(join(bin, 'creator-data'), `#!/bin/sh\nexec node ${join(ROOT, 'dist/bundle/cli.mjs')} "$@"\n`);
    chmodSync(join(bin, 'creator-data'), 0o755);
    const env = {
      PATH: `${bin}:${process.env.PATH}`,
      DATABASE_URL: embedded.url,
      MYSQL_URL: mysql.url,
      DATA_DIR: embedded.folder,
    };
    const output = execFileSync('sh', ['-eu', '-c', commands], {
      cwd: embedded.folder,
      env,
      encoding: 'utf8',
      stdio: 'pipe',
    });
    expect(output).toContain('Wrote export: 2 records in 2 files.');
    expect(output).toContain('cdk_');
    expect(existsSync(join(embedded.folder, 'export'))).toBe(false);
    const known = await runInProcess(mysql, 'forget', 'live_platform', 'moved', '--dry-run');
    expect([known.status, known.out]).toEqual([0, expect.stringContaining('1 profile')]);
  });
}
