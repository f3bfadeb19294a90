import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { askHistory, historyLine, observed, pointsOf } from '../../support/history.js';
import { uniqueId } from '../../support/records/builders.js';
import { runForJson, runInProcess } from '../../support/service/command.js';
import { describeService } from '../../support/service/test-service.js';
import { toNdjson } from '../../support/sources/sources.js';

const DAY_MS = 86_400_000;
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();

describeService('removal of history', (service) => {
  const json = (...args: string[]) => runForJson(service().testDatabase, ...args);
  const points = (id: string) => pointsOf(service(), id);
  const datesOf = async (id: string, query = '') =>
    (await askHistory(service(), id, query)).body.payload.map(({ date }: { date: string }) => date);

  describe('forget', () => {
    it('removes it, and later lines are rejected until --undo', async () => {
      const [id, other] = [uniqueId(), uniqueId()];
      const line = historyLine(id, '2026-01-31', 1);
      await service().load('profiles', observed(id, '2026-01-30T00:00:00.000Z', 1), observed(other, null, 1));
      await service().load('history', line, historyLine(other, '2026-01-31', 2));
      const dryRun = await json('forget', 'live_platform', id, '--dry-run');
      expect(dryRun.removed).toMatchObject({ profiles: 1, history: 2 });
      expect((await json('forget', 'live_platform', id, '--yes')).removed).toEqual(dryRun.removed);
      expect((await askHistory(service(), id)).status).toBe(404);
      expect(await points(other)).toEqual(['2026-01-31 2 null']);
      const { rejected } = await service().loadLines('history', [JSON.stringify(line)]);
      expect(rejected.map(({ reason }) => reason)).toEqual(['suppressed: about a forgotten creator']);
      await expect(service().loadLines('history', [JSON.stringify(line)], true)).rejects.toThrow('line 1: suppressed');

      await json('forget', 'live_platform', id, '--undo');
      await service().load('profiles', observed(id, null, 1));
      expect(await points(id)).toEqual([]);
      await service().load('history', line);
      expect(await points(id)).toEqual(['2026-01-31 1 null']);
    });

    it('removes the history of a creator of whom nothing else is stored', async () => {
      const id = uniqueId();
      await service().load('history', historyLine(id, '2026-01-31', 1));
      const { removed } = await json('forget', 'live_platform', id, '--yes');
      expect(removed).toEqual({ profiles: 0, content: 0, documents: 0, history: 1, links: 0 });
    });

    it('no profile of a forgotten creator leaves an observation', async () => {
      const id = uniqueId();
      await json('forget', 'live_platform', id, '--unknown');
      await service().loadLines('profiles', [JSON.stringify(observed(id, '2026-01-31T00:00:00.000Z', 1))]);
      await json('forget', 'live_platform', id, '--undo');
      await service().load('profiles', observed(id, null, 1));
      expect(await points(id)).toEqual([]);
    });
  });

  it('purge of a profile removes its history', async () => {
    const [old, young] = [uniqueId(), uniqueId()];
    const document = (id: string, at: string, followers: number) => ({
      url: `https://api.twitch.tv/helix/channels/followers?broadcaster_id=${id}`,
      fetched_at: at,
      body: { total: followers, data: [], pagination: {} },
    });
    const file = join(service().testDatabase.folder, 'followers.ndjson');
    writeFileSync(
      file,
      toNdjson(document(old, daysAgo(31), 1), document(old, daysAgo(32), 2), document(young, daysAgo(29), 3)),
    );
    await json('ingest', 'twitch', file);
    const range = `?start_date=${daysAgo(40).slice(0, 10)}`;
    expect(await datesOf(old, range)).toEqual([daysAgo(32).slice(0, 10), daysAgo(31).slice(0, 10)]);
    await json('purge', '--older-than', '30d', '--yes');
    await service().load('profiles', observed(old, null, 1));
    expect(await datesOf(old, range)).toEqual([]);
    expect(await datesOf(young, range)).toEqual([daysAgo(29).slice(0, 10)]);
  });

  describe('purge --history --older-than', () => {
    /** Loads a profile with a day of history for each age. */
    const withHistory = async (platform_id: string, ...ages: readonly number[]): Promise<string> => {
      const id = uniqueId();
      await service().load('profiles', { ...observed(id, null, 1), platform_id });
      const lines = ages.map((age) => historyLine(id, daysAgo(age).slice(0, 10), age, { platform_id }));
      await service().load('history', ...lines);
      return id;
    };
    const agesOf = async (id: string, platform = 'live_platform'): Promise<number[]> => {
      const range = `start_date=${daysAgo(360).slice(0, 10)}`;
      const { body } = await service().get(`/platforms/${platform}/profiles/${id}/history?${range}`);
      return body.payload.map(({ followers }: { followers: number }) => followers);
    };

    it('removes the days before, of every profile, and keeps the profiles', async () => {
      const id = await withHistory('live_platform', 40, 31, 30, 29, 0);
      const other = await withHistory('video_platform', 31, 30);
      const counted = await json('purge', '--history', '--older-than', '30d', '--dry-run');
      expect(await agesOf(id)).toEqual([40, 31, 30, 29, 0]);
      const purged = await json('purge', '--history', '--older-than', '30d', '--yes');
      expect(purged).toMatchObject({ history_before: daysAgo(30).slice(0, 10), dry_run: false });
      expect(purged.removed).toEqual(counted.removed);
      expect(purged.removed.history).toBeGreaterThanOrEqual(3);
      expect([await agesOf(id), await agesOf(other, 'video_platform')]).toEqual([[30, 29, 0], [30]]);
      expect((await json('purge', '--history', '--older-than', '30d', '--yes')).removed).toEqual({ history: 0 });
    });

    it('purges the observation that a profile holds, and counts its day once', async () => {
      const id = uniqueId();
      const at = daysAgo(40);
      await service().load('profiles', { ...observed(id, at, 1), platform_id: 'video_platform' });
      const line = historyLine(id, at.slice(0, 10), 2, { platform_id: 'video_platform' });
      await service().load('history', line);
      const purge = (mode: string) =>
        json('purge', '--history', '--older-than', '30d', '--platform', 'video_platform', mode);
      const counted = (await purge('--dry-run')).removed;
      expect((await purge('--yes')).removed).toEqual(counted);
      expect(await agesOf(id, 'video_platform')).toEqual([]);
      expect((await purge('--yes')).removed).toEqual({ history: 0 });
      await service().load('profiles', { ...observed(id, daysAgo(0), 0), platform_id: 'video_platform' });
      expect(await agesOf(id, 'video_platform')).toEqual([0]);
    });

    it('--platform limits it', async () => {
      const id = await withHistory('live_platform', 40);
      const other = await withHistory('photo_platform', 40);
      await json('purge', '--history', '--older-than', '30d', '--platform', 'photo_platform', '--yes');
      expect([await agesOf(id), await agesOf(other, 'photo_platform')]).toEqual([[40], []]);
    });

    it('reads on after profiles with thousands of days', async () => {
      const ids = [uniqueId(), uniqueId(), uniqueId()];
      const first = Date.parse('2016-01-01T00:00:00.000Z');
      const dates = Array.from({ length: 2500 }, (_, nth) => new Date(first + nth * DAY_MS).toISOString().slice(0, 10));
      for (const id of ids) {
        await service().load('profiles', observed(id, null, 1));
        await service().load('history', ...dates.map((date) => historyLine(id, date, 1)));
      }
      const years = Math.floor((Date.now() - Date.parse('2018-01-01T00:00:00.000Z')) / DAY_MS);
      await json('purge', '--history', '--older-than', `${years}d`, '--yes');
      for (const id of ids) {
        const { body } = await askHistory(service(), id, '?start_date=2016-01-01&end_date=2026-01-01&interval=month');
        expect(body.meta.first_observed_at).toBe('2018-01-01');
      }
    });

    it('requires --yes or --dry-run, and is in the audit log', async () => {
      const refused = await runInProcess(service().testDatabase, 'purge', '--history', '--older-than', '30d');
      expect(refused).toMatchObject({
        status: 1,
        err: 'Add --yes to remove the records, or --dry-run to count them.\n',
      });
      await withHistory('live_platform', 40);
      const { removed, history_before } = await json('purge', '--history', '--older-than', '30d', '--yes');
      const entries: { command: string; target: object; outcome: string }[] = await json('audit', 'list');
      const [started, done] = entries.filter(({ command }) => command === 'purge').slice(-2);
      expect(started).toMatchObject({ target: { history_before }, outcome: 'started' });
      expect(done).toMatchObject({ target: { history_before, days: removed.history }, outcome: 'done' });
    });
  });
});
