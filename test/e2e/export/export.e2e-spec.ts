import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { PLATFORMS } from '../../../src/model/platforms.js';
import { EXPORT_SOURCES } from '../../../src/operator/export/export-sources.js';
import { IMPORT_KINDS } from '../../../src/operator/import/parse-line.js';
import { aGame, aProfile, uniqueId } from '../../support/records/builders.js';
import { readManifestOf, textsOf } from '../../support/records/export-folder.js';
import { historyOfSample, loadSampleData, SAMPLE_DATA } from '../../support/records/sample-data.js';
import { runInProcess, runForJson } from '../../support/service/command.js';
import { describeService } from '../../support/service/test-service.js';

const recordsIn = (folder: string): number =>
  readManifestOf(folder).files.reduce((sum, { records }) => sum + records, 0);

describeService('export', (service) => {
  let parent: string;
  beforeAll(() => loadSampleData(service()));
  beforeEach(() => {
    parent = join(service().testDatabase.folder, uniqueId());
    mkdirSync(parent);
  });

  const run = (...args: string[]) => runInProcess(service().testDatabase, ...args);
  const json = (...args: string[]) => runForJson(service().testDatabase, ...args);
  /** Exports to a new folder. @returns its path */
  const anExport = async (...args: string[]): Promise<string> => {
    const folder = join(parent, uniqueId());
    await json('export', ...args, '--out', folder);
    return folder;
  };
  const audited = async (work: () => Promise<unknown>): Promise<unknown[]> => {
    const before = ((await json('audit', 'list')) as unknown[]).length;
    await work();
    const entries = (await json('audit', 'list')) as { command: string; target: object; outcome: string }[];
    return entries.slice(before).map(({ command, target, outcome }) => [command, target, outcome]);
  };

  it('writes a file for each kind and platform, whose lines are the import lines of its records', async () => {
    const texts = textsOf(await anExport());
    const expected: Record<string, string[]> = {};
    for (const [kind, records] of Object.entries({ ...SAMPLE_DATA, history: historyOfSample() })) {
      for (const record of records) {
        const platform = 'platform_id' in record ? record.platform_id : 'platform' in record ? record.platform : null;
        (expected[`${platform === null ? kind : `${kind}-${platform}`}.ndjson.gz`] ??= []).push(JSON.stringify(record));
      }
    }
    const linesOf = (text: string) => text.trimEnd().split('\n').toSorted();
    expect(Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, linesOf(text)]))).toEqual(
      Object.fromEntries(Object.entries(expected).map(([name, lines]) => [name, lines.toSorted()])),
    );
  });

  it('writes manifest.json: created_at, version, files with size, SHA-256 and records, and cursors', async () => {
    const startedAt = new Date().toISOString();
    const folder = await anExport('profiles', 'games');
    const manifest = readManifestOf(folder);
    expect(Object.keys(manifest)).toEqual(['format', 'version', 'created_at', 'files', 'cursors', 'sha256']);
    expect(manifest).toMatchObject({ format: 'creator-data export', version: 1 });
    expect(Object.keys(manifest.cursors)).toEqual(['games', ...PLATFORMS]);
    expect(manifest.cursors.live_platform).toEqual({ profiles: expect.any(String) });
    const { created_at } = manifest as unknown as { created_at: string };
    expect(created_at >= startedAt && created_at <= new Date().toISOString()).toBe(true);
    expect(manifest.files.map(({ kind, platform }) => [kind, platform])).toEqual([
      ['games', null],
      ...PLATFORMS.map((platform) => ['profiles', platform]),
    ]);
    const texts = textsOf(folder);
    for (const { name, bytes, sha256, records } of manifest.files) {
      const packed = readFileSync(join(folder, name));
      expect([bytes, sha256]).toEqual([packed.length, createHash('sha256').update(packed).digest('hex')]);
      expect(texts[name]?.trimEnd().split('\n')).toHaveLength(records);
    }
    expect(readdirSync(folder).toSorted()).toEqual(
      ['manifest.json', ...manifest.files.map(({ name }) => name)].toSorted(),
    );
  });

  it('has cursors from which the feeds of changes go on', async () => {
    const { cursors } = readManifestOf(await anExport('profiles', 'games'));
    const changes = (path: string, cursor = '') => service().get(`${path}cursor=${encodeURIComponent(cursor)}`);
    const ofProfiles = () =>
      changes('/platforms/live_platform/changes?kind=profiles&', cursors.live_platform?.profiles);
    const ofGames = () => changes('/games/changes?', cursors.games?.games);
    expect([(await ofProfiles()).body.payload, (await ofGames()).body.payload]).toEqual([[], []]);
    const [profile, game] = [aProfile({ updated_at: null }), aGame()];
    await service().load('profiles', profile);
    await service().load('games', game);
    expect((await ofProfiles()).body.payload).toMatchObject([{ op: 'upsert', id: profile.id }]);
    expect((await ofGames()).body.payload).toMatchObject([{ op: 'upsert', id: game.id }]);
    await run('forget', 'live_platform', profile.id, '--yes');
  });

  it('prints the manifest and the folder with --json, and one line without', async () => {
    const folder = join(parent, 'json');
    const { files, created_at, cursors } = await json('export', 'games', '--out', folder);
    expect({ files, created_at, cursors }).toEqual(
      expect.objectContaining({
        files: readManifestOf(folder).files,
        cursors: { games: { games: expect.any(String) } },
      }),
    );
    const other = join(parent, 'text');
    const { status, out, err } = await run('export', 'games', '--out', other);
    expect([status, out, err]).toEqual([
      0,
      `Wrote ${other}: ${recordsIn(other)} records in 1 file. It holds personal data: delete it when it is no longer needed.\n`,
      '',
    ]);
  });

  it('has only the named kinds and platform', async () => {
    const files = async (...args: string[]) => readdirSync(await anExport(...args)).toSorted();
    expect(await files('emails', 'profiles', '--platform', 'live_platform')).toEqual([
      'emails-live_platform.ndjson.gz',
      'manifest.json',
      'profiles-live_platform.ndjson.gz',
    ]);
    const all = await files('--platform', 'video_platform');
    expect(all.filter((name) => !/^manifest.json$|-video_platform\.ndjson\.gz$/.test(name))).toEqual([]);
    expect(all.length).toBeGreaterThan(6);
    expect(await files('observations')).toEqual(['manifest.json']);
  });

  it('can export every kind that can be imported', () => {
    expect(EXPORT_SOURCES.map(({ kind }) => kind).toSorted()).toEqual(IMPORT_KINDS.toSorted());
  });

  it('creates a folder and files that only their owner can read', async () => {
    const folder = await anExport();
    const modeOf = (path: string) => statSync(path).mode & 0o777;
    expect(modeOf(folder)).toBe(0o700);
    for (const name of readdirSync(folder)) expect([name, modeOf(join(folder, name))]).toEqual([name, 0o600]);
  });

  it('is in the audit log: begin and end with counts, or that it failed', async () => {
    const target = { kinds: ['emails'], platform: 'live_platform' };
    let whole = '';
    expect(
      await audited(async () => {
        whole = await anExport();
        await anExport('emails', '--platform', 'live_platform');
        writeFileSync(join(parent, 'precious'), '');
        await run('export', 'emails', '--platform', 'live_platform', '--out', parent);
      }),
    ).toEqual([
      ['export', { kinds: 'all', platform: 'all' }, 'started'],
      ['export', { kinds: 'all', platform: 'all', files: expect.any(Number), records: recordsIn(whole) }, 'done'],
      ['export', target, 'started'],
      ['export', { ...target, files: 1, records: expect.any(Number) }, 'done'],
      ['export', target, 'started'],
      ['export', target, 'failed'],
    ]);
  });

  describe('has one state of the store', () => {
    it('whatever is imported and forgotten while it runs', async () => {
      const [kept, added] = [aProfile({ name: 'before' }), aProfile()];
      await service().load('profiles', kept);
      const texts = await service().database.snapshot(async (stream) => {
        await service().load('profiles', { ...kept, name: 'after' }, added);
        const source = EXPORT_SOURCES.find(({ kind }) => kind === 'profiles');
        let text = '';
        for await (const lines of source?.lines(service().database, stream, 'live_platform') ?? []) {
          text += lines.map((line) => `${Buffer.concat(line).toString()}\n`).join('');
        }
        return text;
      });
      expect(texts).toContain('"before"');
      expect(texts).not.toContain('"after"');
      expect(texts).not.toContain(added.id);
      const [file = ''] = Object.values(textsOf(await anExport('profiles', '--platform', 'live_platform')));
      expect(file).toContain('"after"');
      expect(file).toContain(added.id);
    });
  });

  describe('fails with one line and leaves nothing behind', () => {
    const failure = async (...args: string[]): Promise<string> => {
      const { status, out, err } = await run('export', ...args);
      expect([status, out, err.match(/\n/g)?.length]).toEqual([1, '', 1]);
      return err.trimEnd();
    };

    it('if the folder has files, or is a file', async () => {
      writeFileSync(join(parent, 'precious'), '');
      expect(await failure('--out', parent)).toBe(`${parent} exists and is not empty: name a new folder`);
      expect(await failure('--out', join(parent, 'precious'))).toMatch(/part of this path is a file, not a folder/);
      expect(readdirSync(parent)).toEqual(['precious']);
    });

    it('if the folder cannot be created', async () => {
      expect(await failure('--out', '/proc/export')).toMatch(/^\/proc\/export /);
    });

    it('if a signal stops it', async () => {
      const watcher = watch(parent);
      const others = process.listeners('SIGTERM');
      const exported = failure('--out', join(parent, 'stopped'));
      await once(watcher, 'change');
      watcher.close();
      expect(readdirSync(parent)).toEqual([expect.stringMatching(/^stopped\.part-/)]);
      for (const listener of process.listeners('SIGTERM')) {
        if (!others.includes(listener)) listener('SIGTERM');
      }
      expect(await exported).toBe('stopped, and nothing was written: run the same command again');
      expect(readdirSync(parent)).toEqual([]);
    });

    it('if a kind belongs to no platform, but one is named', async () => {
      expect(await failure('games', '--platform', 'live_platform', '--out', join(parent, 'x'))).toBe(
        'games belong to no platform: export them without --platform',
      );
      expect(await failure('sounds', '--out', join(parent, 'x'))).toMatch(/Allowed choices are profiles, content/);
      expect(await failure()).toMatch(/required option '--out <folder>' not specified/);
      expect(readdirSync(parent)).toEqual([]);
    });
  });

  describe('import', () => {
    it('takes an export alone, and names what it takes', async () => {
      const failure = async (...args: string[]) => (await run('import', ...args)).err;
      expect(await failure('profiles')).toMatch(/^missing required argument 'file'; see/);
      expect(await failure('profile')).toMatch(/^profile is neither a kind \(profiles, .*\) nor a folder: check/);
      const folder = await anExport('games');
      const file = join(folder, 'games.ndjson.gz');
      expect(await failure(file)).toBe(
        `${file} is a file: name its kind before it, one of ${IMPORT_KINDS.join(', ')}\n`,
      );
      expect(await failure('profile', file)).toMatch(
        /^value 'profile' is invalid for argument 'kind'. It must be one of/,
      );
      expect((await json('import', 'games', file))[0]).toMatchObject({ loaded: recordsIn(folder), rejected: 0 });
    });

    it('with --dry-run verifies an export and its lines, and loads nothing', async () => {
      const folder = await anExport();
      const url = `sqlite:${join(parent, 'empty.sqlite')}`;
      const reports = (await runForJson({ url }, 'import', folder, '--dry-run')) as { loaded: number }[];
      expect(reports.reduce((sum, { loaded }) => sum + loaded, 0)).toBe(
        readManifestOf(folder).files.reduce((sum, { records }) => sum + records, 0),
      );
      expect(readdirSync(await exportOf(url))).toEqual(['manifest.json']);
    });

    /** Exports another database. @returns the folder */
    const exportOf = async (url: string): Promise<string> => {
      const folder = join(parent, uniqueId());
      await runForJson({ url }, 'export', '--out', folder);
      return folder;
    };

    it('rejects a forgotten creator with stored history', async () => {
      const profile_id = uniqueId();
      const day = { platform_id: 'live_platform', profile_id, date: '2026-01-31', followers: 1, views_estimated: null };
      await service().loadLines('history', [JSON.stringify(day)]);
      const line = { platform_id: 'live_platform', profile_id, forgotten_at: '2026-01-31T09:30:00Z' };
      const { outcome } = await service().loadLines('forgotten', [JSON.stringify(line)]);
      expect(outcome).toEqual({ lines: 1, loaded: 0, rejected: 1 });
    });

    it('rejects forgotten creators with stored records, and observations of records that are not stored', async () => {
      const profile = aProfile();
      await service().load('profiles', profile);
      const line = { platform_id: 'live_platform', forgotten_at: '2026-01-31T09:30:00Z' };
      const forgotten = await service().loadLines('forgotten', [
        JSON.stringify({ ...line, profile_id: profile.id }),
        JSON.stringify({ ...line, profile_id: uniqueId() }),
      ]);
      expect(forgotten.outcome).toEqual({ lines: 2, loaded: 1, rejected: 1 });
      expect(forgotten.rejected[0]?.reason).toBe(
        `records about this creator are stored: run "creator-data forget live_platform ${profile.id}"`,
      );
      const observed = {
        observed_at: '2026-01-31T09:30:00Z',
        observations: { members: [] },
        platform_id: 'live_platform',
      };
      const observations = await service().loadLines('observations', [
        JSON.stringify({ ...observed, kind: 'profiles', id: profile.id }),
        JSON.stringify({ ...observed, kind: 'profiles', id: uniqueId() }),
        JSON.stringify({ ...observed, kind: 'content', id: profile.id }),
        JSON.stringify({ ...observed, kind: 'games', platform_id: null, id: '90001' }),
      ]);
      expect(observations.outcome).toEqual({ lines: 4, loaded: 2, rejected: 2 });
      expect(observations.rejected.map(({ reason }) => reason)).toEqual([
        'no such record is stored: import its record first',
        'no such record is stored: import its record first',
      ]);
      rmSync(parent, { recursive: true });
    });
  });
});
