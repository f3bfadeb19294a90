import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { runInProcess } from '../../support/service/command.js';
import { toNdjson } from '../../support/sources/sources.js';

const HELIX = 'https://api.twitch.tv/helix';

/** A response with its request. */
const response = (path: string, fetched_at: string, ...data: readonly object[]) => ({
  url: `${HELIX}/${path}`,
  fetched_at,
  body: { data, pagination: {} },
});

const user = (id: string, given: object = {}) => ({
  id,
  login: `login_${id}`,
  display_name: `Login_${id}`,
  type: '',
  broadcaster_type: 'partner',
  description: 'Plays',
  profile_image_url: '',
  offline_image_url: '',
  view_count: 0,
  created_at: '2016-12-14T20:32:28.894263Z',
  ...given,
});

const followers = (id: string, at: string, total: number) => ({
  url: `${HELIX}/channels/followers?broadcaster_id=${id}`,
  fetched_at: at,
  body: { total, data: [], pagination: {} },
});

/** Beyond the longest line of an import file. */
const TOO_LONG = 'a'.repeat(2 * 1024 * 1024);

const T1 = '2026-01-31T09:30:00Z';

describe('normalize', () => {
  const folder = () => {
    folders += 1;
    const path = join(process.env.TMPDIR ?? '/tmp', `creator-data-normalize-${process.pid}-${folders}`);
    mkdirSync(path, { recursive: true });
    return path;
  };
  let folders = 0;
  // normalize needs no database, so database settings must not matter.
  const run = (...args: string[]) => runInProcess({ url: 'sqlite:/nowhere/at/all.sqlite' }, ...args);

  it('writes sorted files for the import, and reports what to load for missing members', async () => {
    const here = folder();
    writeFileSync(
      join(here, 'in.ndjson'),
      toNdjson(response('users', T1, user('2'), user('10')), followers('9', T1, 5)),
    );
    const { status, out } = await run(
      'normalize',
      'auto',
      join(here, 'in.ndjson'),
      '--out',
      join(here, 'out'),
      '--json',
    );
    const report = JSON.parse(out);
    expect([status, report.records]).toEqual([0, { profiles: 3 }]);
    expect(report.never_seen).toContainEqual({
      kind: 'profiles',
      platform: 'live_platform',
      member: 'language',
      of: 3,
      load: 'Helix channels',
    });
    expect(readdirSync(join(here, 'out')).sort()).toEqual(['content.ndjson', 'games.ndjson', 'profiles.ndjson']);
    const ids = readFileSync(join(here, 'out/profiles.ndjson'), 'utf8').trimEnd().split('\n');
    expect(ids.map((line) => JSON.parse(line).id)).toEqual(['10', '2', '9']);
  });

  it('exits with 2 and names the file of rejects', async () => {
    const here = folder();
    writeFileSync(join(here, 'a.ndjson'), `${toNdjson(response('users', T1, user('1')))}{"a`);
    const { status, out } = await run('normalize', 'twitch', join(here, 'a.ndjson'), '--out', join(here, 'out'));
    expect(status).toBe(2);
    expect(out).toContain('2 documents read');
    expect(out).toContain('1 rejected');
    expect(readFileSync(join(here, 'a.ndjson.rejected.ndjson'), 'utf8')).toContain('"line":2');
  });

  it('rejects an unknown source and a missing file', async () => {
    const here = folder();
    expect((await run('normalize', 'nothing', 'x', '--out', here)).err).toMatch(/It must be one of .*twitch, .*auto/);
    expect(await run('normalize', 'twitch', join(here, 'x'), '--out', here)).toMatchObject({
      status: 1,
      err: expect.stringContaining('does not exist'),
    });
    expect((await run('normalize', 'twitch', 'x')).err).toContain("required option '--out <folder>'");
  });

  it('overwrites neither its inputs nor the file of rejects', async () => {
    const here = folder();
    const input = join(here, 'profiles.ndjson');
    const text = toNdjson(response('users', T1, user('1')));
    writeFileSync(input, text);
    const { status, err } = await run('normalize', 'twitch', input, '--out', here);
    expect([status, err]).toEqual([1, expect.stringContaining('is an input, but --out would overwrite it')]);
    expect(readFileSync(input, 'utf8')).toBe(text);
    const rejects = join(here, 'out/games.ndjson');
    expect((await run('normalize', 'twitch', input, '--out', join(here, 'out'), '--rejects', rejects)).err).toContain(
      'is a file that --out writes',
    );
  });

  it('reports the line where a truncated gzip file ends', async () => {
    const here = folder();
    const documents = Array.from({ length: 5000 }, (_, nth) => response('users', T1, user(String(nth))));
    const packed = gzipSync(toNdjson(...documents));
    writeFileSync(join(here, 'a.ndjson.gz'), packed.subarray(0, packed.length - 500));
    expect((await run('normalize', 'twitch', join(here, 'a.ndjson.gz'), '--out', join(here, 'out'))).status).toBe(2);
    const profiles = readFileSync(join(here, 'out/profiles.ndjson'), 'utf8').trimEnd().split('\n').length;
    expect(JSON.parse(readFileSync(join(here, 'a.ndjson.gz.rejected.ndjson'), 'utf8')).line).toBe(profiles + 1);
  });

  describe('into a folder with import files', () => {
    const NAMES = ['content', 'games', 'profiles', 'socials'].map((kind) => `${kind}.ndjson`);
    /** Creates an input of one user, and a folder with these files. */
    const prepare = (names: readonly string[], users = [user('1')]) => {
      const here = folder();
      const out = join(here, 'out');
      mkdirSync(out);
      for (const name of names) writeFileSync(join(out, name), `old ${name}\n`);
      const input = join(here, 'in.ndjson');
      writeFileSync(input, toNdjson(...users.map((each) => response('users', T1, each))));
      return { input, out, args: ['normalize', 'auto', input, '--out', out] };
    };
    const filesOf = (out: string) =>
      Object.fromEntries(readdirSync(out).map((name) => [name, readFileSync(join(out, name), 'utf8')]));
    const oldFiles = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, `old ${name}\n`]));

    it.each(NAMES)('fails before it reads anything, if %s exists', async (name) => {
      const { input, out, args } = prepare([name]);
      const rejects = `${input}.rejected.ndjson`;
      writeFileSync(input, '{"a');
      writeFileSync(rejects, 'old rejects');
      expect(await run(...args)).toEqual({
        status: 1,
        out: '',
        err: `${join(out, name)} exists: choose another folder, or pass --overwrite to replace the import files in this one\n`,
      });
      expect(filesOf(out)).toEqual(oldFiles([name]));
      expect(readFileSync(rejects, 'utf8')).toBe('old rejects');
    });

    it('fails if the file is a broken link', async () => {
      const { out, args } = prepare([]);
      symlinkSync(join(out, 'nowhere'), join(out, 'profiles.ndjson'));
      expect((await run(...args)).err).toContain('profiles.ndjson exists: choose another folder');
    });

    it('replaces all of them with --overwrite, and no other file', async () => {
      const others = ['analysis.ndjson', 'notes.txt', 'profiles.ndjson.gz'];
      const { out, args } = prepare([...NAMES, ...others]);
      const { status } = await run(...args, '--overwrite');
      const { 'profiles.ndjson': profiles = '', ...remaining } = filesOf(out);
      expect([status, JSON.parse(profiles).id]).toEqual([0, '1']);
      expect(remaining).toEqual({ ...oldFiles(others), 'content.ndjson': '', 'games.ndjson': '' });
    });

    it('replaces the file of social links with --overwrite, if two creators link to each other', async () => {
      const { out, args } = prepare(NAMES, [
        user('1', { description: 'see https://www.twitch.tv/login_2' }),
        user('2', { description: 'see https://www.twitch.tv/login_1' }),
      ]);
      const report = await run(...args, '--overwrite', '--json');
      expect(JSON.parse(report.out).written).toEqual(NAMES.map((name) => join(out, name)));
      const links = readFileSync(join(out, 'socials.ndjson'), 'utf8').trimEnd().split('\n');
      expect(links.map((line) => JSON.parse(line))).toMatchObject([
        { profile_id: '1', links: [{ id: '2' }] },
        { profile_id: '2', links: [{ id: '1' }] },
      ]);
    });

    it('says in its help that a folder holds the result of one run', async () => {
      const { out } = await run('normalize', '--help');
      expect(out.replaceAll(/\s+/g, ' ')).toContain(
        '--overwrite replace these files in the folder, and remove those that this run does not write: a folder holds the result of one run',
      );
    });

    it('still protects inputs with --overwrite', async () => {
      const { out, args } = prepare(NAMES);
      expect(
        (await run('normalize', 'auto', join(out, 'games.ndjson'), ...args.slice(3), '--overwrite')).err,
      ).toContain('games.ndjson is an input, but --out would overwrite it');
      expect(filesOf(out)).toEqual(oldFiles(NAMES));
    });

    it('changes none of them if it fails', async () => {
      const { out, args } = prepare(NAMES, [user('1'), user('2', { display_name: TOO_LONG })]);
      const { status, err } = await run(...args, '--overwrite', '--strict');
      expect([status, err]).toEqual([1, expect.stringContaining('in.ndjson')]);
      expect(filesOf(out)).toEqual(oldFiles(NAMES));
    });

    it('changes none of them if it is stopped, and can run again', async () => {
      const users = Array.from({ length: 20_000 }, (_, nth) => user(String(nth)));
      for (const [names, ...options] of [[[]], [NAMES, '--overwrite']] as [string[], ...string[]][]) {
        const { out, args } = prepare(names, users);
        const stopped = await runAndStop(() => existsSync(join(out, 'profiles.ndjson.part')), ...args, ...options);
        expect([stopped.status, stopped.err]).toEqual([
          1,
          expect.stringContaining('Stopped. No import file was written'),
        ]);
        expect(filesOf(out)).toEqual(oldFiles(names));
        expect((await run(...args, ...options)).status).toBe(0);
      }
    });

    /** Runs a command, and sends it SIGINT as soon as a condition holds. */
    async function runAndStop(condition: () => boolean, ...args: readonly string[]) {
      const others = new Set(process.listeners('SIGINT'));
      const running = run(...args);
      let isRunning = true;
      const ended = running.finally(() => (isRunning = false));
      while (isRunning && !condition()) await setImmediate();
      for (const listener of process.listeners('SIGINT')) if (!others.has(listener)) listener('SIGINT');
      return ended;
    }
  });
});
