import { writeFileSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { aProfile, uniqueId } from '../../support/records/builders.js';
import { runInProcess, runForJson } from '../../support/service/command.js';
import { describeService } from '../../support/service/test-service.js';
import { createTestDatabase, DIALECTS } from '../../support/stores/test-database.js';

interface Entry {
  readonly time: string;
  readonly command: string;
  readonly target: Readonly<Record<string, unknown>>;
  readonly outcome: string;
}

describeService('audit list', (service) => {
  const run = (...args: string[]) => runInProcess(service().testDatabase, ...args);
  const json = (...args: string[]) => runForJson(service().testDatabase, ...args);
  const file = (...lines: readonly (object | string)[]): string => {
    const path = join(service().testDatabase.folder, `${uniqueId()}.ndjson`);
    writeFileSync(path, lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n'));
    return path;
  };

  /** Runs commands. @returns the entries that they added */
  const added = async (work: () => Promise<unknown>): Promise<[string, object, string][]> => {
    const before = ((await json('audit', 'list')) as Entry[]).length;
    await work();
    const entries = (await json('audit', 'list')) as Entry[];
    return entries.slice(before).map(({ command, target, outcome }) => [command, target, outcome]);
  };

  it('names time, user, host, command, target and outcome of a change', async () => {
    const startedAt = new Date().toISOString();
    const { id } = await json('keys', 'create', '--name', 'x');
    const last = ((await json('audit', 'list')) as Entry[]).at(-1);
    expect(last).toEqual({
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      os_user: userInfo().username,
      host: hostname(),
      command: 'keys create',
      target: { key_id: id, rate_limit: null, month_units: null, month_credits: null, expires_at: null },
      outcome: 'done',
    });
    expect(last && last.time >= startedAt).toBe(true);
  });

  it('has an entry of every change of a key with its terms, and none of its name, its text or a failed change', async () => {
    const issued = await json('keys', 'create', '--name', 'secret name', '--customer', 'secret customer');
    const { id } = issued;
    let rotated = { key: '' };
    const entries = await added(async () => {
      await json('keys', 'limit', id, '5');
      await json('keys', 'policy', id, '--hide', 'sensitive');
      await json('keys', 'plan', id, '--month-units', '5');
      await json('keys', 'expire', id, '2099-01-01');
      await json('keys', 'customer', id, 'secret customer');
      rotated = await json('keys', 'rotate', id);
      await json('keys', 'list');
      expect((await run('keys', 'limit', 'key_nobody', '5')).status).toBe(1);
      await json('keys', 'revoke', id);
      expect((await run('keys', 'revoke', id)).status).toBe(1);
    });
    const expected = {
      limit: { rate_limit: 5 },
      policy: {},
      plan: { month_units: 5, month_credits: null },
      expire: { expires_at: '2099-01-01T00:00:00.000Z' },
      customer: {},
      rotate: {},
      revoke: {},
    };
    expect(entries).toEqual(
      Object.entries(expected).map(([command, terms]) => [`keys ${command}`, { key_id: id, ...terms }, 'done']),
    );
    const all = (await run('audit', 'list')).out;
    for (const text of ['secret', issued.key, rotated.key]) expect(all).not.toContain(text);
  });

  it('has start and end of an import with its counts, and nothing of a dry run', async () => {
    const path = file(aProfile(), 'not JSON');
    const entries = await added(async () => {
      await run('import', 'profiles', path);
      await run('import', 'profiles', path, '--dry-run');
      await run('import', 'profiles', path, '--strict');
    });
    const started = { kind: 'profiles', files: 1 };
    expect(entries).toEqual([
      ['import', started, 'started'],
      ['import', { ...started, loaded: 1, rejected: 1 }, 'rejected'],
      ['import', started, 'started'],
      ['import', started, 'failed'],
    ]);
  });

  it('names platform and profile ID of a forgotten creator', async () => {
    const profile = aProfile();
    await json('import', 'profiles', file(profile));
    const entries = await added(async () => {
      await json('forget', 'live_platform', profile.id, '--dry-run');
      await json('forget', 'live_platform', profile.id, '--yes');
      await json('forget', 'live_platform', profile.id, '--undo');
    });
    const target = { platform: 'live_platform', profile_id: profile.id };
    expect(entries).toEqual([
      ['forget', target, 'started'],
      ['forget', { ...target, profiles: 1, content: 0, documents: 0, history: 1, links: 0 }, 'done'],
      ['forget', { ...target, undo: true }, 'done'],
    ]);
  });

  it('has entries of ingest, purge, reindex and prune', async () => {
    const document = '{"data":[{"id":"1","login":"a","display_name":"A"}]}';
    const entries = await added(async () => {
      await run('ingest', 'twitch', file(document));
      await json('purge', '--older-than', '30d', '--dry-run');
      await json('purge', '--older-than', '30d', '--yes');
      await json('reindex', 'profiles');
      await service().get('/usage');
      await json('usage', 'summary', '--from', '2026-01-01', '--to', '2026-01-31');
    });
    expect(entries.map(([command, , outcome]) => [command, outcome])).toEqual([
      ['ingest', 'started'],
      ['ingest', expect.stringMatching(/^(done|rejected)$/)],
      ['purge', 'started'],
      ['purge', 'done'],
      ['reindex', 'started'],
      ['reindex', 'done'],
    ]);
    service().clock.stopAt(Date.parse('2020-01-01T12:00:00Z'));
    await service().get('/usage');
    service().clock.reset();
    await service().publishWatermark();
    const prune = ['usage', 'prune', '--before', '2020-02-01', '--without-archive'];
    expect(await added(() => json(...prune, '--dry-run'))).toEqual([]);
    expect(await added(() => json(...prune, '--yes'))).toEqual([
      ['usage prune', { before: '2020-02-01' }, 'started'],
      ['usage prune', { before: '2020-02-01', groups_deleted: 1, records_deleted: 1 }, 'done'],
    ]);
  });

  it('selects days, both inclusive, and rejects a range that ends before it begins', async () => {
    await json('keys', 'create', '--name', 'x');
    const today = new Date().toISOString().slice(0, 10);
    const all = await json('audit', 'list');
    expect((await json('audit', 'list', '--from', today)).length).toBeGreaterThan(0);
    expect(await json('audit', 'list', '--to', today)).toEqual(all);
    expect(await json('audit', 'list', '--to', '2020-01-01')).toEqual([]);
    expect(await json('audit', 'list', '--from', '2099-01-01')).toEqual([]);
    const { status, err } = await run('audit', 'list', '--from', '2026-02-01', '--to', '2026-01-01');
    expect([status, err]).toEqual([1, '--from 2026-02-01 is later than --to 2026-01-01: swap them\n']);
  });
});

describe.each(DIALECTS)('audit of migrate (%s)', (dialect) => {
  it('has one entry of the migrations that were applied, and none where nothing was to do', async () => {
    const database = await createTestDatabase(dialect);
    try {
      const { applied } = await runForJson(database, 'migrate');
      await runForJson(database, 'migrate');
      const entries = (await runForJson(database, 'audit', 'list')) as Entry[];
      const target = { applied: applied.length, newest: applied.at(-1) };
      expect(entries).toEqual([expect.objectContaining({ command: 'migrate', target, outcome: 'done' })]);
    } finally {
      await database.drop();
    }
  });
});
