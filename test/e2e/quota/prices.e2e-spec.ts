import { describe, expect, it } from '@jest/globals';
import type { Platform } from '../../../src/model/platforms.js';
import { aContent, aGame, aProfile, liveGame, uniqueId } from '../../support/records/builders.js';
import type { Answer } from '../../support/http/request.js';
import { AUDIENCE_ANALYSIS, CREATOR_ANALYSIS, sampleOf } from '../../support/records/reference-shapes.js';
import { describeService, type TestService } from '../../support/service/test-service.js';
import { recordOf } from '../../support/service/usage.js';

const PLATFORM: Platform = 'live_platform';
const BASE = `/platforms/${PLATFORM}`;

/** Creates a creator with all documents, and the game of the content. */
async function aCreator(
  service: TestService,
): Promise<{ id: string; name: string; contentId: string; gameId: string; gameName: string }> {
  const profile = aProfile();
  const game = aGame({ name: `Pricetag${uniqueId()}` });
  const content = aContent({ profile_id: profile.id, categories: [liveGame(String(game.live_platform_id))] });
  const of = { platform_id: PLATFORM, profile_id: profile.id };
  await service.load('profiles', profile);
  await service.load('games', game);
  await service.load('content', content);
  await service.load('analysis', { ...of, analysis: sampleOf(CREATOR_ANALYSIS) });
  await service.load('audience', { ...of, audience: sampleOf(AUDIENCE_ANALYSIS) });
  await service.load('socials', { ...of, links: [{ id: 'x', platform_id: 'photo_platform' }] });
  await service.load('emails', { ...of, email: 'a@example.com' });
  return {
    id: profile.id,
    name: String(profile.name),
    contentId: content.content_id,
    gameId: String(game.live_platform_id),
    gameName: game.name,
  };
}

const post = (service: TestService, path: string, member: string, items: readonly string[]) =>
  service.post(`${BASE}${path}`, { [member]: items });

const unknown = (count: number) => Array.from({ length: count }, uniqueId);

describeService('prices', (service) => {
  /** Returns status, units and credits of an answer. @throws Error if its exported record differs */
  const costOf = async ({ status, headers }: Answer): Promise<[status: number, units: number, credits: number]> => {
    const record = await recordOf(service(), headers['x-request-id']);
    const answered = [status, headers['x-quota-units'], headers['x-credits']].join(' ');
    const recorded = [record.status, record.quota_units, record.credits].join(' ');
    if (answered !== recorded) throw new Error(`answered ${answered}, recorded ${recorded}`);
    return [record.status, record.quota_units, record.credits];
  };

  describe('Quota weights', () => {
    it('Single-item fetch: 1', async () => {
      const { id, contentId, gameId } = await aCreator(service());
      for (const path of [`/profiles/${id}`, `/content/${contentId}`, `/games/${gameId}`]) {
        expect(await costOf(await service().get(`${BASE}${path}`))).toEqual([200, 1, 0]);
      }
    });

    it.each([
      ['/profiles', 'profile_ids'],
      ['/content', 'content_ids'],
      ['/profiles/lookup', 'handles'],
    ])('Batch fetch on %s: 1 per item, up to 100 items, found or not', async (path, member) => {
      for (const count of [1, 2, 100])
        expect(await costOf(await post(service(), path, member, unknown(count)))).toEqual([200, count, 0]);
    });

    it.each([
      ['/profiles', 'profile_ids'],
      ['/content', 'content_ids'],
      ['/profiles/lookup', 'handles'],
    ])('Batch fetch on %s: a repeated item is charged once', async (path, member) => {
      const [a = '', b = ''] = unknown(2);
      expect(await costOf(await post(service(), path, member, [a, b, a, a, b]))).toEqual([200, 2, 0]);
    });

    it('Batch fetch of handles: spellings of one handle, with or without the leading @, are one item', async () => {
      const { name } = await aCreator(service());
      const answer = await post(service(), '/profiles/lookup', 'handles', [name, `@${name}`]);
      expect(answer.body.payload).toHaveLength(1);
      expect(await costOf(answer)).toEqual([200, 1, 1]);
    });

    it('List request: 1 per item returned, based on limit', async () => {
      const { id, gameId, gameName } = await aCreator(service());
      for (const [path, byDefault, most] of [
        ['/profiles?', 10, 50],
        ['/content?', 10, 50],
        [`/profiles/${id}/content?`, 10, 50],
        [`/games/${gameId}/content?`, 20, 100],
      ] as const) {
        expect(await costOf(await service().get(`${BASE}${path}`))).toEqual([200, byDefault, 0]);
        expect(await costOf(await service().get(`${BASE}${path}limit=1`))).toEqual([200, 1, 0]);
        expect(await costOf(await service().get(`${BASE}${path}limit=${most}`))).toEqual([200, most, 0]);
      }
      expect(await costOf(await service().get(`/games/search?query=${gameName}&limit=100`))).toEqual([200, 100, 2]);
    });

    it.each([
      ['Analysis: 100 per request', 'analysis', 100, 100],
      ['Audience: 100 per request', 'audience', 100, 100],
      ['Socials: 10 per request', 'socials', 10, 10],
      ['Email endpoint: 10 per request', 'email', 10, 0],
    ])('%s', async (_, path, units, credits) => {
      const { id } = await aCreator(service());
      expect(await costOf(await service().get(`${BASE}/profiles/${id}/${path}`))).toEqual([200, units, credits]);
    });

    it('own usage: 0 units and 0 credits', async () => {
      expect(await costOf(await service().get('/usage'))).toEqual([200, 0, 0]);
    });
  });

  describe('Marketplace credits', () => {
    it('Handle lookup: 1 when at least one mapping is returned, however many', async () => {
      const [one, two] = [await aCreator(service()), await aCreator(service())];
      expect(await costOf(await post(service(), '/profiles/lookup', 'handles', [one.name, ...unknown(2)]))).toEqual([
        200, 3, 1,
      ]);
      expect(await costOf(await post(service(), '/profiles/lookup', 'handles', [one.name, two.name]))).toEqual([
        200, 2, 1,
      ]);
      expect(await costOf(await post(service(), '/profiles/lookup', 'handles', unknown(1)))).toEqual([200, 1, 0]);
    });

    it('Game search: 2 per game returned, not per game that matches', async () => {
      const word = `Creditable${uniqueId()}`;
      await service().load('games', ...[1, 2, 3].map((n) => aGame({ name: `${word} ${n}` })));
      expect(await costOf(await service().get(`/games/search?query=${word}`))).toEqual([200, 20, 6]);
      expect(await costOf(await service().get(`/games/search?query=${word}&limit=1`))).toEqual([200, 1, 2]);
      expect(await costOf(await service().get(`/games/search?query=${word}x`))).toEqual([200, 20, 0]);
    });

    it.each([
      ['Analysis: 100 when analysis is returned', 'analysis', 404, 100],
      ['Audience: 100 when audience analysis is returned', 'audience', 404, 100],
      ['Socials: 10 when social data is returned', 'socials', 200, 10],
      ['Email: no credits at all', 'email', 404, 10],
    ])('%s: requests that return no data cost 0 credits', async (_, path, status, units) => {
      const profile = aProfile();
      await service().load('profiles', profile);
      expect(await costOf(await service().get(`${BASE}/profiles/${profile.id}/${path}`))).toEqual([status, units, 0]);
    });
  });

  describe('requests that fail', () => {
    it.each([
      ['profiles/none', 1],
      ['content/none', 1],
      ['games/none', 1],
      ['profiles/none/content?limit=7', 7],
      ['games/none/content', 20],
      ['profiles/none/analysis', 100],
      ['profiles/none/audience', 100],
      ['profiles/none/socials', 10],
      ['profiles/none/email', 10],
    ])('404 of %s costs %d units and no credits', async (path, units) => {
      expect(await costOf(await service().get(`${BASE}/${path}`))).toEqual([404, units, 0]);
    });

    it.each([
      [
        '304',
        304,
        async () => {
          const path = `${BASE}/profiles/${(await aCreator(service())).id}/analysis`;
          return service().get(path, { 'if-none-match': String((await service().get(path)).headers.etag) });
        },
      ],
      ['400 of a limit', 400, () => service().get('/games/search?query=x&limit=0')],
      ['400 of a platform', 400, () => service().get('/platforms/nowhere/profiles/1/analysis')],
      ['400 of a cursor', 400, () => service().get(`${BASE}/profiles?cursor=x`)],
      ['400 of a batch of 101', 400, () => post(service(), '/profiles', 'profile_ids', unknown(101))],
      ['404 of a path that does not exist', 404, () => service().get('/no/such/path')],
      ['405', 405, () => service().request(`${BASE}/profiles`, { method: 'DELETE' })],
      ['413', 413, () => service().post(`${BASE}/profiles`, 'x'.repeat(300_000))],
      ['415', 415, () => service().request(`${BASE}/profiles`, { method: 'POST', body: '{}' })],
    ] as const)('%s costs nothing', async (_, status, send) => {
      expect(await costOf(await send())).toEqual([status, 0, 0]);
    });

    it('HEAD returns no data: the units of GET, no credits', async () => {
      const { id, gameName } = await aCreator(service());
      for (const [path, units] of [
        [`${BASE}/profiles/${id}/analysis`, 100],
        [`${BASE}/profiles/${id}/socials`, 10],
        [`/games/search?query=${gameName}&limit=3`, 3],
      ] as const) {
        expect(await costOf(await service().request(path, { method: 'HEAD' }))).toEqual([200, units, 0]);
      }
    });

    it('429 costs nothing', async () => {
      const { key } = await service().newKey(1);
      const path = `${BASE}/profiles/none/analysis`;
      await service().get(path, { 'x-api-key': key });
      expect(await costOf(await service().get(path, { 'x-api-key': key }))).toEqual([429, 0, 0]);
    });

    it.each([
      ['401', ''],
      ['403', 'wrong'],
    ])('%s has no cost headers, and its record has no charge', async (status, key) => {
      const { headers } = await service().get(`${BASE}/profiles/none/analysis`, { 'x-api-key': key });
      expect([headers['x-quota-units'], headers['x-credits']]).toEqual([undefined, undefined]);
      const record = await recordOf(service(), headers['x-request-id']);
      expect(record).toMatchObject({ status: Number(status), key_id: null, quota_units: 0, credits: 0 });
    });
  });
});
