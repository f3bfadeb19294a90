import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { aProfile, uniqueId } from '../../support/records/builders.js';
import { runInProcess } from '../../support/service/command.js';
import { runBuiltCommand } from '../../support/process/processes.js';
import { describeService } from '../../support/service/test-service.js';

describeService('import --metrics', (service) => {
  const fileOf = (name: string, ...lines: string[]) => {
    const file = join(service().testDatabase.folder, name);
    writeFileSync(file, lines.join('\n'));
    return file;
  };
  const run = (...args: string[]) => runInProcess(service().testDatabase, ...args);

  it('writes a file for the text collector: lines, bytes and whether the import has ended', async () => {
    const first = fileOf('first.ndjson', JSON.stringify(aProfile()), JSON.stringify(aProfile()), '{"id": 5}');
    const second = fileOf('second.ndjson', JSON.stringify(aProfile()));
    const metrics = join(service().testDatabase.folder, 'import.prom');
    const settings = { DATABASE_URL: service().testDatabase.url };
    const args = ['import', 'profiles', first, second, '--metrics', metrics];
    expect((await runBuiltCommand(args, settings)).status).toBe(2);
    const text = readFileSync(metrics, 'utf8');
    const of = (file: string) => `kind="profiles",file="${file}"`;
    for (const line of [
      `creator_data_import_lines_total{${of(first)},outcome="loaded"} 2`,
      `creator_data_import_lines_total{${of(first)},outcome="rejected"} 1`,
      `creator_data_import_lines_total{${of(second)},outcome="loaded"} 1`,
      `creator_data_import_read_bytes{${of(first)}} ${statSync(first).size}`,
      `creator_data_import_progress_ratio{${of(second)}} 1`,
      'creator_data_import_running{kind="profiles"} 0',
    ])
      expect(text.split('\n')).toContain(line);
  });

  it('fails before anything is loaded when the folder does not exist', async () => {
    const id = uniqueId();
    const file = fileOf('third.ndjson', JSON.stringify(aProfile({ id })));
    const nowhere = join(service().testDatabase.folder, 'nowhere/import.prom');
    const { status, err } = await run('import', 'profiles', file, '--metrics', nowhere);
    expect([status, err]).toEqual([1, expect.stringContaining('does not exist')]);
    expect((await service().get(`/platforms/live_platform/profiles/${id}`)).status).toBe(404);
    expect(existsSync(nowhere)).toBe(false);
  });
});
