import { expect, it } from '@jest/globals';
import { aContent, aGame, aProfile, liveGame, uniqueId } from '../../support/records/builders.js';
import type { RequestOptions } from '../../support/http/request.js';
import { describeService } from '../../support/service/test-service.js';
import { exportedRecords, recordOf } from '../../support/service/usage.js';

const LIVE = '/platforms/live_platform';
const json = (body: object): RequestOptions => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

/** Every endpoint of the API: its operation in the record, its path, and its platform. */
const OPERATIONS: readonly [operation: string, path: string, options: RequestOptions, platform: string | null][] = [
  ['profiles.list', `${LIVE}/profiles`, {}, 'live_platform'],
  ['profiles.batch', `${LIVE}/profiles`, json({ profile_ids: ['x'] }), 'live_platform'],
  ['profiles.lookup', '/platforms/short_platform/profiles/lookup', json({ handles: ['x'] }), 'short_platform'],
  ['profiles.search', `${LIVE}/profiles/search`, json({ text: 'x' }), 'live_platform'],
  ['profiles.get', '/platforms/photo_platform/profiles/none', {}, 'photo_platform'],
  ['content.list', '/platforms/microblog_platform/content', {}, 'microblog_platform'],
  ['content.batch', `${LIVE}/content`, json({ content_ids: ['x'] }), 'live_platform'],
  ['content.get', `${LIVE}/content/none`, {}, 'live_platform'],
  ['content.by_profile', `${LIVE}/profiles/none/content`, {}, 'live_platform'],
  ['content.by_game', '/platforms/video_platform/games/none/content', {}, 'video_platform'],
  ['games.search', '/games/search?query=none', {}, null],
  ['games.search', '/games/search?query=none&platform=video_platform', {}, 'video_platform'],
  ['games.get', `${LIVE}/games/none`, {}, 'live_platform'],
  ['games.get', '/platforms/gamedb/games/none', {}, null],
  ['analysis.get', `${LIVE}/profiles/none/analysis`, {}, 'live_platform'],
  ['audience.get', `${LIVE}/profiles/none/audience`, {}, 'live_platform'],
  ['socials.get', `${LIVE}/profiles/none/socials`, {}, 'live_platform'],
  ['history.get', `${LIVE}/profiles/none/history`, {}, 'live_platform'],
  ['email.get', `${LIVE}/profiles/none/email`, {}, 'live_platform'],
  ['changes.list', `${LIVE}/changes?kind=emails`, {}, 'live_platform'],
  ['games.changes', '/games/changes', {}, null],
  ['usage.get', '/usage', {}, null],
  ['unknown', '/no/such/path', {}, null],
  ['unknown', '/', { method: 'PUT' }, null],
  ['unknown', '/usage', { method: 'PUT' }, null],
];

describeService('the usage record', (service) => {
  it.each(OPERATIONS)('has one record of %s for %s', async (operation, path, options, platform) => {
    const before = service().clock.now();
    const { status, headers } = await service().request(path, options);
    const record = await recordOf(service(), headers['x-request-id']);
    expect(record).toMatchObject({ operation, platform, status });
    expect(record.key_id).toMatch(/^key_/);
    expect(Date.parse(record.occurred_at)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(record.occurred_at)).toBeLessThanOrEqual(service().clock.now());
    expect(record.duration_ms).toBeGreaterThan(0);
  });

  it('has the members that the contract names, in their order', async () => {
    const { headers } = await service().get('/usage');
    expect(Object.keys(await recordOf(service(), headers['x-request-id']))).toEqual([
      'request_id',
      'occurred_at',
      'key_id',
      'operation',
      'platform',
      'status',
      'quota_units',
      'credits',
      'items_returned',
      'duration_ms',
    ]);
  });

  it.each([
    [200, async () => service().get('/usage')],
    [304, async () => service().get('/games/search?query=none', { 'if-none-match': '*' })],
    [400, async () => service().get('/games/search')],
    [401, async () => service().get('/usage', { 'x-api-key': '' })],
    [403, async () => service().get('/usage', { 'x-api-key': 'wrong' })],
    [404, async () => service().get(`${LIVE}/content/none`)],
    [405, async () => service().request('/usage', { method: 'POST' })],
    [413, async () => service().post(`${LIVE}/content`, 'x'.repeat(300_000))],
    [415, async () => service().request(`${LIVE}/content`, { method: 'POST', body: '{}' })],
    [
      429,
      async () => {
        const { key } = await service().newKey(1);
        await service().get('/usage', { 'x-api-key': key });
        return service().get('/usage', { 'x-api-key': key });
      },
    ],
  ] as const)('has one record of each %d, with its status', async (status, send) => {
    const answer = await send();
    expect(answer.status).toBe(status);
    expect((await recordOf(service(), answer.headers['x-request-id'])).status).toBe(status);
  });

  it('has no key for unknown callers, but has their operation', async () => {
    const { id, key } = await service().newKey();
    await service().keys.revoke(id);
    for (const wrong of ['', 'wrong', key]) {
      const { headers } = await service().get(`${LIVE}/profiles/none/analysis`, { 'x-api-key': wrong });
      expect(await recordOf(service(), headers['x-request-id'])).toMatchObject({
        key_id: null,
        operation: 'analysis.get',
        items_returned: 0,
      });
    }
  });

  it('has the ID of the key, never the key', async () => {
    const { id, key } = await service().newKey();
    const { headers } = await service().get('/usage', { 'x-api-key': key });
    const record = await recordOf(service(), headers['x-request-id']);
    expect(record.key_id).toBe(id);
    expect(JSON.stringify(record)).not.toContain(key);
  });

  it('counts the items returned', async () => {
    const profile = aProfile();
    const game = aGame();
    const items = [1, 2, 3].map(() =>
      aContent({ profile_id: profile.id, categories: [liveGame(String(game.live_platform_id))] }),
    );
    await service().load('profiles', profile);
    await service().load('games', game);
    await service().load('content', ...items);
    const path = `${LIVE}/profiles/${profile.id}`;
    for (const [answer, count] of [
      [await service().get(path), 1],
      [await service().get(`${path}/content?limit=2`), 2],
      [await service().get(`${LIVE}/games/${game.live_platform_id}/content`), 3],
      [
        await service().post(`${LIVE}/content`, { content_ids: [...items.map((item) => item.content_id), uniqueId()] }),
        3,
      ],
      [await service().get(`${path}/socials`), 0],
      [await service().get(`${path}/analysis`), 0],
    ] as const) {
      expect((await recordOf(service(), answer.headers['x-request-id'])).items_returned).toBe(count);
    }
  });

  it('has no record of health checks and documentation', async () => {
    const before = await exportedRecords(service());
    for (const path of ['/health', '/health/live', '/openapi.json', '/docs', '/docs/swagger-ui.css']) {
      expect((await service().get(path)).status).toBe(200);
    }
    const added = (await exportedRecords(service())).slice(before.length);
    expect(new Set(added.map(({ operation }) => operation))).toEqual(new Set(['usage.get']));
  });

  it('has one record of each of 200 concurrent requests, of valid and wrong keys', async () => {
    const { id, key } = await service().newKey();
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, nth) =>
        service().get(`${LIVE}/content/none`, { 'x-api-key': nth % 4 === 0 ? 'wrong' : key }),
      ),
    );
    const asked = new Set(answers.map(({ headers }) => headers['x-request-id']));
    expect(asked.size).toBe(200);
    const records = (await exportedRecords(service())).filter(({ request_id }) => asked.has(request_id));
    expect(records).toHaveLength(200);
    expect(records.filter(({ key_id }) => key_id === id)).toHaveLength(150);
  });
});
