import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { aGame, aProfile, uniqueId } from '../../support/records/builders.js';
import { readManifestOf, resealManifest } from '../../support/records/export-folder.js';
import { present } from '../../support/present.js';
import { runInProcess, runForJson } from '../../support/service/command.js';
import { describeService } from '../../support/service/test-service.js';

const PROFILES = 'profiles-live_platform.ndjson.gz';

describeService('import of a damaged export', (service) => {
  /** Exports a store with a profile and a game. @returns the folder */
  const anExport = async (): Promise<string> => {
    await service().load('profiles', aProfile());
    await service().load('games', aGame());
    const folder = join(service().testDatabase.folder, `export-${uniqueId()}`);
    await runForJson(service().testDatabase, 'export', '--out', folder);
    return folder;
  };

  /** Imports an export into a database that does not exist. @returns the only line of output, after the folder */
  const problemOf = async (folder: string): Promise<string> => {
    const file = join(service().testDatabase.folder, `${uniqueId()}.sqlite`);
    const { status, out, err } = await runInProcess({ url: `sqlite:${file}` }, 'import', folder);
    expect([status, out, err.match(/\n/g)?.length]).toEqual([1, '', 1]);
    // Nothing was loaded: not even the database was created.
    expect(existsSync(file)).toBe(false);
    expect(err.startsWith(`${folder}/`)).toBe(true);
    return err.slice(folder.length + 1, -1);
  };

  it('fails with one line, and loads nothing, when any byte of a file is changed', async () => {
    const folder = await anExport();
    const path = join(folder, PROFILES);
    const bytes = readFileSync(path);
    for (const at of [0, 9, bytes.length >> 1, bytes.length - 1]) {
      const changed = Buffer.from(bytes);
      changed.writeUInt8(bytes.readUInt8(at) ^ 1, at);
      writeFileSync(path, changed);
      expect(await problemOf(folder)).toBe(
        `${PROFILES} was changed: its checksum does not match; use another copy of the export`,
      );
    }
  });

  it('when a file is cut or missing', async () => {
    const folder = await anExport();
    const path = join(folder, PROFILES);
    truncateSync(path, 7);
    expect(await problemOf(folder)).toMatch(/^profiles-live_platform.ndjson.gz has 7 bytes instead of \d+/);
    rmSync(path);
    expect(await problemOf(folder)).toBe(`${PROFILES} is missing; use another copy of the export`);
  });

  it.each([
    ['a pipe', 'mkfifo', []],
    ['a device', 'ln', ['-s', '/dev/zero']],
  ])('when a file is %s, which could be read without end', async (_, program, args) => {
    const folder = await anExport();
    const path = join(folder, PROFILES);
    rmSync(path);
    execFileSync(program, [...args, path]);
    expect(await problemOf(folder)).toBe(`${PROFILES} is not a regular file; use another copy of the export`);
  });

  it('when any member of the manifest is changed, or it is cut or missing', async () => {
    const folder = await anExport();
    const path = join(folder, 'manifest.json');
    const text = readFileSync(path, 'utf8');
    for (const [found, changed] of [
      ['"records": ', '"records": 1'],
      ['"kind": "profiles"', '"kind": "content"'],
      ['"created_at": "2', '"created_at": "3'],
      ['"cursors": {', '"cursors": {"sounds": {},'],
    ] as const) {
      expect(text).toContain(found);
      writeFileSync(path, text.replace(found, changed));
      expect(await problemOf(folder)).toMatch(/^manifest.json was changed: its checksum does not match/);
    }
    writeFileSync(path, text.slice(0, -10));
    expect(await problemOf(folder)).toMatch(/^manifest.json is truncated or was changed: it is not JSON/);
    rmSync(path);
    const { status, err } = await runInProcess(service().testDatabase, 'import', folder);
    expect([status, err]).toEqual([
      1,
      `${folder} is not the folder of an export, which has a manifest.json: to load other files, name their kind and each file, ` +
        `such as "import profiles ${join(folder, 'profiles.ndjson')}"\n`,
    ]);
  });

  it('when the manifest is of another version, of a usage archive, or lists what this version does not know', async () => {
    const folder = await anExport();
    const text = readFileSync(join(folder, 'manifest.json'), 'utf8');
    for (const version of [0, 2]) {
      resealManifest(folder, (manifest) => (manifest.version = version));
      expect(await problemOf(folder)).toBe(
        `manifest.json has format ${version}, which this version cannot read: use the version that wrote it`,
      );
    }
    writeFileSync(join(folder, 'manifest.json'), text);
    resealManifest(folder, ({ files }) =>
      Object.assign(present(files[0]), { kind: 'sounds', name: 'sounds.ndjson.gz' }),
    );
    expect(await problemOf(folder)).toBe(
      'manifest.json lists sounds.ndjson.gz of kind sounds, which this version cannot read: use the version that wrote it',
    );
    writeFileSync(join(folder, 'manifest.json'), text);
    renameSync(join(folder, PROFILES), join(folder, '../elsewhere.gz'));
    resealManifest(folder, ({ files }) => {
      present(files.find(({ name }) => name === PROFILES)).name = '../elsewhere.gz';
    });
    expect(await problemOf(folder)).toMatch(/^manifest.json lists \.\.\/elsewhere.gz of kind profiles, which/);
    writeFileSync(join(folder, 'manifest.json'), text.replace('creator-data export', 'creator-data usage archive'));
    expect(await problemOf(folder)).toBe(
      'manifest.json is not of an export: name a folder that "export --out" created',
    );
  });

  it('when the manifest lists a file twice, or is no regular file of at most 1 MiB', async () => {
    const folder = await anExport();
    const path = join(folder, 'manifest.json');
    resealManifest(folder, ({ files }) => files.push(present(files[0])));
    expect(await problemOf(folder)).toMatch(/^manifest.json lists \S+ twice: use another copy$/);
    truncateSync(path, 2 ** 20 + 1);
    expect(await problemOf(folder)).toMatch(/^manifest.json is larger than 1 MiB/);
    rmSync(path);
    execFileSync('mkfifo', [path]);
    expect(await problemOf(folder)).toMatch(/^manifest.json is not a regular file/);
  });

  it('is detected by its sizes before its checksums', async () => {
    const folder = await anExport();
    const manifest = readManifestOf(folder);
    expect(manifest.files.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['games', 'profiles']));
    writeFileSync(join(folder, PROFILES), '');
    expect(await problemOf(folder)).toMatch(/has 0 bytes instead of \d+/);
  });
});
