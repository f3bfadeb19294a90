import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PLATFORMS } from '../../../src/model/platforms.js';
import { computeCost } from '../../../src/receipts/prices.js';
import { aProfile } from '../../support/records/builders.js';
import { runForJson } from '../../support/service/command.js';
import { argumentsOf, McpClient, textsOf, type ToolResult } from '../../support/service/mcp-client.js';
import {
  Description,
  loadOneOfEach,
  OPERATION_IDS,
  requestOf,
  sendOperation,
} from '../../support/openapi/operations.js';
import { describeService } from '../../support/service/test-service.js';
import { recordOf } from '../../support/service/usage.js';

const toolName = (operationId: string) => operationId.replaceAll('.', '_');

describeService('tools of /mcp', (service) => {
  let description: Description;
  let id: string;
  let mcp: McpClient;
  beforeAll(async () => {
    description = await Description.of(service());
    id = await loadOneOfEach(service());
    mcp = await McpClient.connect(service().origin, service().key);
  });
  afterAll(() => mcp.close());

  /** Runs a test with its own client. */
  async function withKey(key: string, test: (client: McpClient) => Promise<void>): Promise<void> {
    const client = await McpClient.connect(service().origin, key);
    try {
      await test(client);
    } finally {
      await client.close();
    }
  }

  const ofCreator = () => ({ platform: 'live_platform', profile_id: id });

  it('exist once for each operation that needs a key, read-only, with the price once in the description', async () => {
    const { tools } = await mcp.client.listTools();
    expect(tools.map(({ name }) => name).toSorted()).toEqual(OPERATION_IDS.map(toolName).toSorted());
    for (const tool of tools) {
      expect(tool.name).toMatch(/^[a-z_]{1,64}$/);
      expect(tool.annotations).toMatchObject({ readOnlyHint: true, destructiveHint: false });
      const prices = tool.description?.match(/\d (quota )?units?\b|\bnothing; it counts\b/g);
      expect([tool.name, prices]).toEqual([tool.name, [expect.any(String)]]);
    }
    const descriptionOf = (name: string) => tools.find((tool) => tool.name === name)?.description;
    expect(descriptionOf('analysis_get')).toContain('**Cost:** 100 quota units; 100 credits if any data is returned.');
    expect(descriptionOf('games_search')).toContain('2 credits for each item returned.');
    expect(descriptionOf('usage_get')).toContain('**Cost:** nothing');
    expect(descriptionOf('profiles_get')).toContain('`profiles_lookup`');
  });

  it('accept path, query and body in one flat object, as the OpenAPI document describes them', async () => {
    const { tools } = await mcp.client.listTools();
    for (const operation of description.operations.filter(({ needsKey }) => needsKey)) {
      const schema = tools.find(({ name }) => name === toolName(operation.operationId))?.inputSchema;
      const names = [...operation.parameters.map(({ name }) => name), ...operation.bodyMembers];
      expect(Object.keys(schema?.properties ?? {}).toSorted()).toEqual(names.toSorted());
      expect(schema).toMatchObject({ type: 'object', additionalProperties: false });
    }
    const list = tools.find(({ name }) => name === 'profiles_list')?.inputSchema;
    expect(list?.required).toEqual(['platform']);
    expect(list?.properties?.limit).toEqual({
      description: 'Items of a page',
      type: 'integer',
      minimum: 1,
      maximum: 50,
      default: 10,
    });
    expect(tools.find(({ name }) => name === 'profiles_batch')?.inputSchema.required).toEqual([
      'platform',
      'profile_ids',
    ]);
  });

  describe.each(OPERATION_IDS)('%s', (operationId) => {
    it('answers as over HTTP, at the cost that the usage record states', async () => {
      const operation = description.operation(operationId);
      const overHttp = await sendOperation(service(), requestOf(operation, id));
      const result = await mcp.call(toolName(operationId), argumentsOf(operation, id));
      expect(result.isError).toBeUndefined();
      const { payload, paging } = result.structuredContent;
      // Usage includes the previous call, so it differs with every call.
      const expected = operationId === 'usage.get' ? { payload, paging } : overHttp.body;
      expect([payload, paging]).toEqual([expected.payload, expected.paging]);
      expect(description.problemsOfSuccess(operation, result.structuredContent)).toEqual([]);
      expect(JSON.parse(String(textsOf(result)[0]))).toEqual(result.structuredContent);

      const record = await recordOf(service(), result._meta.request_id);
      expect(result._meta.cost).toEqual({ quota_units: record.quota_units, credits: record.credits });
      expect(record).toMatchObject({ operation: operationId, status: 200 });
      expect(result._meta.cost).toEqual({
        quota_units: Number(overHttp.headers['x-quota-units']),
        credits: Number(overHttp.headers['x-credits']),
      });
      expect(textsOf(result)[1]).toMatch(
        new RegExp(
          `^Cost: ${record.quota_units} units?, ${record.credits} credits?\\. Left of this minute: [\\d,]+ requests\\.$`,
        ),
      );
    });
  });

  it('continue from the cursor of the previous page', async () => {
    for (const name of ['a', 'b', 'c'])
      await service().load('profiles', aProfile({ platform_id: 'photo_platform', name }));
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page: ToolResult = await mcp.call('profiles_list', { platform: 'photo_platform', limit: 1, cursor });
      seen.push(...page.structuredContent.payload.map((profile: { name: string }) => profile.name));
      cursor = page.structuredContent.paging.next_cursor;
    } while (cursor !== null);
    expect(seen.toSorted()).toEqual(['a', 'b', 'c']);
  });

  it('pass IDs that look like paths through unchanged', async () => {
    for (const odd of ['..', 'a/b', '../../usage', '?x=1', '%2e%2e', 'ö ö']) {
      const result = await mcp.call('profiles_get', { platform: 'live_platform', profile_id: odd });
      expect([odd, textsOf(result)[0]]).toEqual([odd, expect.stringContaining('404: Profile not found.')]);
    }
  });

  it('hide what the policy of the key hides', async () => {
    const { id: keyId, key } = await service().newKey();
    await runForJson(service().testDatabase, 'keys', 'policy', keyId, '--hide', 'email');
    await withKey(key, async (client) => {
      const { payload } = (await client.call('email_get', ofCreator())).structuredContent;
      expect(payload).toMatchObject({ email: null });
    });
  });

  describe('errors', () => {
    it('404: carries the message, advice and the units charged', async () => {
      const result = await mcp.call('analysis_get', { platform: 'live_platform', profile_id: 'unknown' });
      expect(result.isError).toBe(true);
      expect(textsOf(result)[0]).toBe(
        '404: Profile not found. Creators are found by ID. ' +
          'profiles_lookup returns the ID of a handle, and profiles_search finds creators by filters. ' +
          'There is no such data; the same call will find none again.',
      );
      expect(textsOf(result)[1]).toContain('Cost: 100 units, 0 credits.');
      expect(result.structuredContent.error).toEqual(
        expect.objectContaining({ status: 404, message: 'Profile not found', code: 'profile_not_found' }),
      );
      const { quotaUnits, credits } = computeCost('analysis.get', 404, 1, 0);
      expect(result._meta.cost).toEqual({ quota_units: quotaUnits, credits });
      expect(await recordOf(service(), result._meta.request_id)).toMatchObject({
        status: 404,
        quota_units: quotaUnits,
      });
    });

    it('400: carries the message of the API and costs nothing', async () => {
      const wrongPlatform = await mcp.call('profiles_get', { platform: 'nowhere', profile_id: id });
      expect(textsOf(wrongPlatform)[0]).toBe(
        '400: Invalid platform or missing required parameter. Use one of the platforms in allowed. Correct the arguments and call again.',
      );
      const wrongLimit = await mcp.call('profiles_list', { platform: 'live_platform', limit: 51 });
      expect(textsOf(wrongLimit)[0]).toMatch(/^400: limit must be /);
      const notAList = await mcp.call('profiles_batch', { platform: 'live_platform', profile_ids: 'x' });
      expect(textsOf(notAList)[0]).toMatch(/^400: profile_ids must be /);
      expect(wrongPlatform.structuredContent.error).toMatchObject({ code: 'invalid_platform', allowed: PLATFORMS });
      const wrongCursor = await mcp.call('profiles_list', { platform: 'live_platform', cursor: 'x' });
      expect(textsOf(wrongCursor)[0]).toMatch(/^400: Invalid cursor\. Pass paging\.next_cursor unchanged/);
      for (const result of [wrongPlatform, wrongLimit, notAList]) {
        expect(result).toMatchObject({ isError: true, _meta: { cost: { quota_units: 0, credits: 0 } } });
        expect(await recordOf(service(), result._meta.request_id)).toMatchObject({ status: 400 });
      }
    });

    it('arguments that are missing, empty, unknown or unusable in a path are named, and no request is sent', async () => {
      const { key } = await service().newKey(1000);
      const cases = [
        [{ platform: 'live_platform' }, 'Missing argument: profile_id', 'missing_parameter'],
        [{ platform: 'live_platform', profile_id: null }, 'Missing argument: profile_id', 'missing_parameter'],
        [{ platform: 'live_platform', profile_id: '' }, 'profile_id must not be empty', 'invalid_parameter'],
        [{ platform: 'live_platform', profile_id: [id] }, 'profile_id must be a text or a number', 'invalid_parameter'],
        [
          { platform: 'live_platform', profile_id: '\ud800' },
          'profile_id must be well-formed text',
          'invalid_parameter',
        ],
        [
          { ...ofCreator(), x: 1 },
          'Unknown argument: x. The arguments of this tool: profile_id, platform, include',
          'unknown_parameter',
        ],
      ] as const;
      await withKey(key, async (client) => {
        for (const [given, message, code] of cases) {
          const result = await client.call('profiles_get', given);
          expect(result).toMatchObject({
            isError: true,
            content: [{ type: 'text', text: `${message}. Nothing was sent.` }],
            structuredContent: { error: { code, message } },
          });
        }
        expect((await client.call('profiles_get', ofCreator())).isError).toBeUndefined();
      });
    });

    it('an unknown tool is a protocol error', async () => {
      await expect(mcp.call('profiles_delete')).rejects.toMatchObject({
        message: expect.stringContaining('Unknown tool: profiles_delete'),
        data: { code: 'unknown_tool' },
      });
    });

    it('429: messages, tool calls and requests share the limit of the key, and the error states how long to wait', async () => {
      const { key } = await service().newKey(20);
      const remaining = async () =>
        Number((await service().get('/usage', { 'x-api-key': key })).headers['x-ratelimit-minute-remaining']);
      await withKey(key, async (client) => {
        await client.client.listTools();
        const left = await remaining();
        expect(left).toBeLessThan(20 - 2);
        expect(textsOf(await client.call('profiles_get', ofCreator()))[1]).toContain(
          `Left of this minute: ${left - 1} requests.`,
        );
        expect(await remaining()).toBe(left - 2);
        for (let nth = 3; nth < left; nth += 1) await client.call('profiles_get', ofCreator());
        expect(textsOf(await client.call('profiles_get', ofCreator()))[1]).toContain(
          'Left of this minute: 0 requests.',
        );
        const result = await client.call('profiles_get', ofCreator());
        expect(result.isError).toBe(true);
        expect(textsOf(result)[0]).toMatch(/^429: Rate limit exceeded\. Before the next call wait \d+ seconds?\.$/);
        expect(await recordOf(service(), result._meta.request_id)).toMatchObject({ status: 429, quota_units: 0 });
      });
    });
  });

  it('serve concurrent sessions of different keys, each with its own bill', async () => {
    const keys = await Promise.all(Array.from({ length: 3 }, () => service().newKey(1000)));
    await Promise.all(
      keys.map(({ key }, nth) =>
        withKey(key, async (client) => {
          const calls = Array.from({ length: 5 + nth }, () => client.call('socials_get', ofCreator()));
          for (const result of await Promise.all(calls))
            expect(textsOf(result).at(-1)).toContain('10 units, 10 credits');
          const { totals } = (await client.call('usage_get')).structuredContent.meta;
          expect(totals).toEqual({ requests: 5 + nth, quota_units: 10 * (5 + nth), credits: 10 * (5 + nth) });
        }),
      ),
    );
  });
});
