import { describe, expect, it } from '@jest/globals';
import { aContent, aProfile, liveGame, uniqueId } from '../../support/records/builders.js';
import { idOf } from '../../support/lists/lists.js';
import { describeService } from '../../support/service/test-service.js';
import { present } from '../../support/present.js';

describeService('imported records', (service) => {
  const profileOf = async (id: string) =>
    (await service().get(`/platforms/live_platform/profiles/${id}`)).body.payload as Record<string, unknown>;
  const contentOfGame = async (id: string) =>
    ((await service().get(`/platforms/live_platform/games/${encodeURIComponent(id)}/content`)).body.payload ?? []).map(
      idOf,
    ) as string[];

  describe('replace existing records', () => {
    it('Loading a line again replaces the record: no merge', async () => {
      const profile = aProfile();
      await service().load('profiles', profile);
      await service().load('profiles', { platform_id: 'live_platform', id: profile.id, description: 'new' });
      const replaced = await profileOf(profile.id);
      expect(replaced).toMatchObject({ id: profile.id, description: 'new', name: null, updated_at: null });
      expect(replaced.statistics).toEqual({ followers: null, views_estimated: null });
    });

    it('a replaced profile moves in every list', async () => {
      const platform_id = 'microblog_platform';
      const [moved, other] = [aProfile({ platform_id }), aProfile({ platform_id, updated_at: '2020-01-01T00:00:00Z' })];
      await service().load('profiles', moved, other);
      const list = async (query: string) =>
        (await service().get(`/platforms/${platform_id}/profiles?${query}`)).body.payload.map(idOf);
      expect(await list('sort=updated_at')).toEqual([moved.id, other.id]);
      await service().load('profiles', {
        ...moved,
        updated_at: '2019-01-01T00:00:00Z',
        statistics: { followers: 1, views_estimated: null },
      });
      expect(await list('sort=updated_at')).toEqual([other.id, moved.id]);
      expect(await list('sort=followers')).toEqual([other.id, moved.id]);
    });

    it('a replaced item is listed once, at its new date, with its new type and games', async () => {
      const [oldGame, kept, newGame, profile_id] = [uniqueId(), uniqueId(), uniqueId(), uniqueId()];
      const item = aContent({ profile_id, categories: [liveGame(oldGame), liveGame(kept)] });
      await service().load('content', item);
      expect(await contentOfGame(oldGame)).toEqual([item.content_id]);
      const replaced = {
        ...item,
        type: 'video',
        created_at: '2025-05-05T00:00:00.000Z',
        categories: [liveGame(kept), liveGame(newGame)],
      };
      await service().load('content', replaced);
      const path = `/platforms/live_platform/profiles/${profile_id}/content`;
      expect((await service().get(path)).body.payload).toEqual([replaced]);
      expect((await service().get(`${path}?content_type=stream`)).body.payload).toEqual([]);
      expect((await service().get(`${path}?start_date=2025-05-05&end_date=2025-05-05`)).body.payload).toHaveLength(1);
      expect(await contentOfGame(oldGame)).toEqual([]);
      expect(await contentOfGame(kept)).toEqual([item.content_id]);
      expect(await contentOfGame(newGame)).toEqual([item.content_id]);
      const batch = await service().post('/platforms/live_platform/content', { content_ids: [item.content_id] });
      expect(batch.body.payload).toEqual([replaced]);
    });

    it('an item leaves its game even when another item looks alike', async () => {
      const unique = uniqueId();
      const at = (ms: number) => new Date(ms).toISOString();
      const leaving = aContent({ content_id: `2 ${unique}`, created_at: at(1), categories: [liveGame(unique)] });
      const alike = aContent({ content_id: unique, created_at: at(2), categories: [liveGame(`${unique} 1`)] });
      await service().load('content', leaving);
      await service().load('content', { ...leaving, categories: [] }, alike);
      expect(await contentOfGame(unique)).toEqual([]);
      expect(await contentOfGame(`${unique} 1`)).toEqual([unique]);
    });

    it('loading the same file twice changes nothing', async () => {
      const records = [aContent({ profile_id: uniqueId() }), aContent({ created_at: null })];
      await service().load('content', ...records);
      await service().load('content', ...records);
      for (const record of records) {
        const { body } = await service().get(`/platforms/live_platform/content/${record.content_id}`);
        expect(body.payload).toEqual(record);
      }
    });
  });

  describe('of one file', () => {
    it('the last of several lines for one record wins', async () => {
      const profile = aProfile();
      const versions = ['first', 'second', 'third'].map((description) => ({ ...profile, description }));
      const { outcome } = await service().loadLines(
        'profiles',
        versions.map((version) => JSON.stringify(version)),
      );
      expect(outcome).toEqual({ lines: 3, loaded: 3, rejected: 0 });
      expect((await profileOf(profile.id)).description).toBe('third');
    });

    it('the last good line wins when a later one is bad', async () => {
      const profile = aProfile({ description: 'good' });
      const lines = [JSON.stringify(profile), JSON.stringify({ ...profile, is_mature: 'perhaps' })];
      const { rejected } = await service().loadLines('profiles', lines);
      expect(rejected).toMatchObject([{ line: 2, reason: 'is_mature must be true or false' }]);
      expect((await profileOf(profile.id)).description).toBe('good');
    });

    it('the last of several lines for one item also decides its date and games', async () => {
      const [first, last] = [uniqueId(), uniqueId()];
      const item = aContent({ categories: [liveGame(first)] });
      await service().load('content', item, { ...item, created_at: null, categories: [liveGame(last)] });
      expect(await contentOfGame(first)).toEqual([]);
      expect(await contentOfGame(last)).toEqual([item.content_id]);
    });

    it('one ID on two platforms is two records', async () => {
      const id = uniqueId();
      await service().load('profiles', aProfile({ id }), aProfile({ id, platform_id: 'video_platform' }));
      expect((await profileOf(id)).platform_id).toBe('live_platform');
      const { body } = await service().get(`/platforms/video_platform/profiles/${id}`);
      expect(body.payload.platform_id).toBe('video_platform');
    });
  });

  describe('that are bad', () => {
    const good = () => JSON.stringify(aProfile());
    const bad: readonly [line: string, reason: string][] = [
      ['{"id":"1"', 'not JSON'],
      ['[]', 'not an object'],
      ['{"platform_id":"live_platform"}', 'id is missing'],
      [
        '{"platform_id":"radio","id":"1"}',
        'platform_id must be one of live_platform, video_platform, photo_platform, short_platform, microblog_platform',
      ],
      ['{"platform_id":"live_platform","id":1}', 'id must be a string'],
      ['{"platform_id":"live_platform","id":"1","extra":null}', 'unknown member: extra'],
      [
        '{"platform_id":"live_platform","id":"1","updated_at":"2026-02-30T00:00:00Z"}',
        'updated_at must be a date and time that exist',
      ],
      [
        '{"platform_id":"live_platform","id":"1","statistics":{"followers":9007199254740992}}',
        'statistics.followers must be an integer from -(2^53 - 1) to 2^53 - 1',
      ],
      [
        '{"platform_id":"live_platform","id":"1","display_name":"\\ud800"}',
        'display_name must not contain half a surrogate pair',
      ],
    ];

    it('are skipped, counted and reported with number, reason and text; the others load', async () => {
      const goodLines = bad.map(good);
      const lines = bad.flatMap(([line], index) => [present(goodLines[index]), line]);
      const { outcome, rejected } = await service().loadLines('profiles', lines);
      expect(outcome).toEqual({ lines: 2 * bad.length, loaded: bad.length, rejected: bad.length });
      expect(rejected).toEqual(bad.map(([text, reason], index) => ({ line: 2 * index + 2, reason, text })));
      const ids = goodLines.map((text) => (JSON.parse(text) as { id: string }).id);
      const { body } = await service().post('/platforms/live_platform/profiles', { profile_ids: [...ids, '1'] });
      expect(body.meta.missing_ids).toEqual(['1']);
    });

    it('stop a strict import, which stores nothing of their batch', async () => {
      for (const [line, reason] of bad) {
        const profile = aProfile();
        await expect(service().loadLines('profiles', [JSON.stringify(profile), line], true)).rejects.toThrow(
          `line 2: ${reason}`,
        );
        expect((await service().get(`/platforms/live_platform/profiles/${profile.id}`)).status).toBe(404);
      }
    });
  });
});
