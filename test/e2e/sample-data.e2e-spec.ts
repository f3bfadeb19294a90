import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { RECORD_KINDS, type RecordKind } from '../../src/operator/import/parse-line.js';
import { ROOT } from '../support/files/project-root.js';
import { describeService } from '../support/service/test-service.js';

const linesOf = (kind: RecordKind): string[] =>
  readFileSync(join(ROOT, 'sample-data', `${kind}.ndjson`), 'utf8')
    .trimEnd()
    .split('\n');

/** IDs of the creator with all documents, as in the README of the folder. */
const CREATOR = {
  live_platform: '10001',
  video_platform: 'UCSampleLumenVale0000000',
  photo_platform: '2000010001',
  short_platform: '7300000000000010001',
  microblog_platform: '1500000000000010001',
} as const;
const LIVE = `/platforms/live_platform/profiles/${CREATOR.live_platform}`;

describeService('the sample data', (service) => {
  const outcomes = new Map<RecordKind, { loaded: number; reasons: string[] }>();
  beforeAll(async () => {
    for (const kind of RECORD_KINDS) {
      const { outcome, rejected } = await service().loadLines(kind, linesOf(kind));
      outcomes.set(kind, { loaded: outcome.loaded, reasons: rejected.map(({ reason }) => reason) });
    }
  });

  it.each(RECORD_KINDS)('%s loads without a rejected line', (kind) => {
    expect(outcomes.get(kind)).toEqual({ loaded: linesOf(kind).length, reasons: [] });
  });

  it('uses only addresses reserved for examples', () => {
    const text = RECORD_KINDS.flatMap(linesOf).join('\n');
    const hosts = text.match(/https?:\/\/[^/"\s]+|(?<=[\w.])@[\w.-]+\.\w+/g) ?? [];
    expect(hosts.length).toBeGreaterThan(0);
    expect(hosts.filter((host) => !/(^|[/@.])example\.(com|org)$/.test(host))).toEqual([]);
  });

  describe('every endpoint answers for the showcase creator', () => {
    it.each(Object.entries(CREATOR))('has the profile on %s and its content', async (platform, id) => {
      const path = `/platforms/${platform}/profiles/${id}`;
      expect((await service().get(path)).body.payload.display_name).toMatch(/^Lumen Vale/);
      expect((await service().get(`${path}/content`)).body.payload.length).toBeGreaterThan(0);
    });

    it.each(Object.entries(CREATOR))('has her analysis, audience, links and address on %s', async (platform, id) => {
      for (const document of ['analysis', 'audience', 'socials', 'email']) {
        const { status, body } = await service().get(`/platforms/${platform}/profiles/${id}/${document}`);
        expect([document, status]).toEqual([document, 200]);
        expect(Object.keys(body.payload).length).toBeGreaterThan(0);
      }
    });

    it.each(['profiles', 'content'])('lists %s of every platform', async (list) => {
      for (const platform of Object.keys(CREATOR)) {
        expect((await service().get(`/platforms/${platform}/${list}`)).body.payload.length).toBeGreaterThan(0);
      }
    });

    it('finds her by handle and in a batch', async () => {
      const { name } = (await service().get(LIVE)).body.payload;
      const mappings = await service().post('/platforms/live_platform/profiles/lookup', { handles: [`@${name}`] });
      expect(mappings.body.payload).toEqual([{ handle: name, id: CREATOR.live_platform }]);
      const batch = await service().post('/platforms/live_platform/profiles', { profile_ids: [CREATOR.live_platform] });
      expect([batch.body.payload.length, batch.body.meta.missing_ids]).toEqual([1, []]);
    });

    it('has one of her content items, alone and in a batch', async () => {
      const [{ content_id }] = (await service().get(`${LIVE}/content`)).body.payload;
      expect((await service().get(`/platforms/live_platform/content/${content_id}`)).body.payload.profile_id).toBe(
        CREATOR.live_platform,
      );
      const batch = await service().post('/platforms/live_platform/content', { content_ids: [content_id] });
      expect(batch.body.payload).toHaveLength(1);
    });

    it('has her main game: search, metadata under all three IDs, content on both platforms', async () => {
      const [game] = (await service().get('/games/search?query=starhaven+odyssey')).body.payload;
      expect(game).toMatchObject({
        id: '90001',
        live_platform_id: '5001',
        video_platform_id: 'UCGStarhavenOdyssey00000',
      });
      for (const [platform, id] of [
        ['gamedb', '90001'],
        ['live_platform', '5001'],
        ['video_platform', 'UCGStarhavenOdyssey00000'],
      ]) {
        expect((await service().get(`/platforms/${platform}/games/${id}`)).body.payload.name).toBe('Starhaven Odyssey');
        if (platform === 'gamedb') continue;
        const { body } = await service().get(`/platforms/${platform}/games/${id}/content`);
        expect([body.meta.game.id, body.payload.length > 0]).toEqual(['90001', true]);
      }
    });

    it('links her profiles only to existing profiles', async () => {
      for (const { platform_id, id } of (await service().get(`${LIVE}/socials`)).body.payload) {
        expect((await service().get(`/platforms/${platform_id}/profiles/${id}`)).status).toBe(200);
      }
    });
  });
});
