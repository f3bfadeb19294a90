import { beforeAll, expect, it } from '@jest/globals';
import { PLATFORMS } from '../../../src/model/platforms.js';
import { McpClient } from '../../support/service/mcp-client.js';
import {
  OPERATION_IDS,
  Description,
  loadOneOfEach,
  requestOf,
  sendOperation,
} from '../../support/openapi/operations.js';
import { aContent, aProfile, liveGame } from '../../support/records/builders.js';
import { SAMPLE_DATA } from '../../support/records/sample-data.js';
import { describeService } from '../../support/service/test-service.js';

/** IDs of the sample data, under which the store has other records. */
const CREATOR = '10001';
const GAME = '5001';

/** Operations that say what the key itself has used. */
const OWN_OPERATIONS = ['usage.get'];

describeService('a test key never gets what is stored', (service) => {
  let testKey: { 'x-api-key': string };
  let stored: string;
  let description: Description;

  beforeAll(async () => {
    testKey = { 'x-api-key': (await service().newTestKey(1_000_000)).key };
    stored = await loadOneOfEach(service());
    description = await Description.of(service());
    for (const platform_id of PLATFORMS) {
      await service().load('profiles', aProfile({ platform_id, id: CREATOR, name: 'stored' }));
      const game = platform_id === 'live_platform' ? [liveGame(GAME)] : [];
      const item = {
        content_id: `stored-${platform_id}`,
        platform: platform_id,
        profile_id: CREATOR,
        categories: game,
      };
      await service().load('content', aContent(item));
    }
    await service().load('games', { id: '90001', name: 'Stored', live_platform_id: GAME });
  });

  const idsOfSample = {
    profiles: (platform: string) => SAMPLE_DATA.profiles.flatMap((p) => (p.platform_id === platform ? p.id : [])),
    content: (platform: string) => SAMPLE_DATA.content.flatMap((c) => (c.platform === platform ? c.content_id : [])),
  };

  /** Walks a list with the test key. */
  async function walk(path: string): Promise<Record<string, unknown>[]> {
    const items: Record<string, unknown>[] = [];
    let next: string | null = '';
    while (next !== null) {
      const cursor: string = next === '' ? '' : `&cursor=${next}`;
      const { status, body } = await service().get(`${path}?limit=50${cursor}`, testKey);
      if (status !== 200) throw new Error(`${path}: ${status}`);
      items.push(...body.payload);
      next = body.paging.next_cursor;
    }
    return items;
  }

  it.each(PLATFORMS)('a walk over the lists of %s finds the sample data and nothing else', async (platform) => {
    const profiles = await walk(`/platforms/${platform}/profiles`);
    expect(profiles.map(({ id }) => String(id)).toSorted()).toEqual(idsOfSample.profiles(platform).toSorted());
    expect(profiles.filter(({ name }) => name === 'stored')).toEqual([]);
    const content = await walk(`/platforms/${platform}/content`);
    expect(content.map(({ content_id }) => String(content_id)).toSorted()).toEqual(
      idsOfSample.content(platform).toSorted(),
    );
    for (const id of idsOfSample.profiles(platform)) {
      const own = (await walk(`/platforms/${platform}/profiles/${id}/content`)).map(({ content_id }) => content_id);
      expect(own.filter((item) => !idsOfSample.content(platform).includes(String(item)))).toEqual([]);
    }
  });

  it('a walk over the content of a game finds the sample data and nothing else', async () => {
    const items = (await walk(`/platforms/live_platform/games/${GAME}/content`)).map(({ content_id }) => content_id);
    expect(items.length).toBeGreaterThan(0);
    expect(items.filter((id) => !idsOfSample.content('live_platform').includes(String(id)))).toEqual([]);
  });

  it.each(OPERATION_IDS.filter((name) => !OWN_OPERATIONS.includes(name)))(
    '%s does not find a stored record',
    async (id) => {
      const request = requestOf(description.operation(id), stored);
      const live = await sendOperation(service(), request);
      const test = await sendOperation(service(), request, testKey);
      expect([live.status, test.headers['x-test-mode']]).toEqual([200, 'true']);
      expect(test.body.payload).not.toEqual(live.body.payload);
      expect(JSON.stringify(test.body.payload ?? null).includes(stored)).toBe(false);
    },
  );

  it('records that the store has under the same IDs are those of the sample', async () => {
    const paths = [`/platforms/live_platform/profiles/${CREATOR}`, `/platforms/gamedb/games/90001`];
    for (const path of paths) {
      const [live, test] = [await service().get(path), await service().get(path, testKey)];
      expect([live.body.payload.name.toLowerCase(), test.body.payload.name]).toEqual([
        'stored',
        expect.not.stringMatching(/stored/i),
      ]);
    }
  });

  it('a record imported later is not found either, and the sample stays', async () => {
    const profile = aProfile();
    await service().load('profiles', profile);
    expect((await service().get(`/platforms/live_platform/profiles/${profile.id}`)).status).toBe(200);
    expect((await service().get(`/platforms/live_platform/profiles/${profile.id}`, testKey)).status).toBe(404);
  });

  it('GET /usage tells a test key its own usage, and nobody else', async () => {
    const { key } = await service().newTestKey(100);
    const own = { 'x-api-key': key };
    await service().get(`/platforms/live_platform/profiles/${CREATOR}/analysis`, own);
    const { body } = await service().get('/usage', own);
    expect(body.payload).toMatchObject([{ operation: 'analysis.get', requests: 1, quota_units: 100, credits: 100 }]);
  });

  it('the tools of /mcp answer from the sample data, too', async () => {
    const client = await McpClient.connect(service().origin, testKey['x-api-key']);
    const sample = await client.call('profiles_get', { platform: 'live_platform', profile_id: CREATOR });
    expect(sample.structuredContent.payload.display_name).toBe('Lumen Vale');
    const none = await client.call('profiles_get', { platform: 'live_platform', profile_id: stored });
    expect(none.structuredContent.error.code).toBe('profile_not_found');
    const usage = await client.call('usage_get');
    expect(usage.structuredContent.meta.totals.requests).toBeGreaterThan(1);
    await client.close();
    const message = { jsonrpc: '2.0', id: 1, method: 'ping' };
    const answer = await service().post('/mcp', message, testKey);
    expect([answer.status, answer.headers['x-test-mode']]).toEqual([200, 'true']);
    expect((await service().post('/mcp', message)).headers).not.toHaveProperty('x-test-mode');
  });
});
