import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Tool } from '@modelcontextprotocol/sdk/types.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { sensitiveMembers } from '../../../src/model/field-policy.js';
import { present } from '../../support/present.js';
import { aContent, aProfile, liveGame, uniqueId } from '../../support/records/builders.js';
import { runForJson } from '../../support/service/command.js';
import { argumentsOf, McpClient, textsOf } from '../../support/service/mcp-client.js';
import { Description, loadOneOfEach, OPERATION_IDS } from '../../support/openapi/operations.js';
import { describeService } from '../../support/service/test-service.js';

/** The list of tools is in the context of many models. */
const MAX_BYTES_PER_TOOL = 4096;

describeService('structured answers of the tools of /mcp', (service) => {
  let description: Description;
  let id: string;
  let mcp: McpClient;
  let tools: readonly Tool[];
  beforeAll(async () => {
    description = await Description.of(service());
    id = await loadOneOfEach(service());
    mcp = await McpClient.connect(service().origin, service().key);
    // From now on the client validates the answers, too.
    ({ tools } = await mcp.client.listTools());
  });
  afterAll(() => mcp.close());

  const ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false, allErrors: true });
  const schemaOf = (name: string) => present(tools.find((tool) => tool.name === name)?.outputSchema);
  const problems = (name: string, answer: unknown): unknown[] => {
    const validate = ajv.compile(schemaOf(name));
    return validate(answer) ? [] : (validate.errors ?? []);
  };

  describe.each(OPERATION_IDS)('%s', (operationId) => {
    const name = operationId.replaceAll('.', '_');

    it('matches its output schema, which requires every member of the envelope', async () => {
      const answer = (await mcp.call(name, argumentsOf(description.operation(operationId), id))).structuredContent;
      expect(problems(name, answer)).toEqual([]);
      for (const member of Object.keys(answer)) {
        const { [member]: _left, ...rest } = answer;
        expect(problems(name, rest)).not.toEqual([]);
      }
      for (const member of Object.keys(answer.meta)) {
        const { [member]: _left, ...meta } = answer.meta;
        expect(problems(name, { ...answer, meta })).not.toEqual([]);
      }
      expect(problems(name, { ...answer, payload: 'text' })).not.toEqual([]);
    });

    it('matches it with errors of the API, and of calls that were not sent', async () => {
      const unknown = await mcp.call(name, { unknown: 1 });
      expect([unknown.isError, problems(name, unknown.structuredContent)]).toEqual([true, []]);
      const { inputSchema } = present(tools.find((tool) => tool.name === name));
      const names = Object.keys(inputSchema.properties ?? {});
      const given = argumentsOf(description.operation(operationId), id);
      const [wrong] = ['limit', 'platform', 'start_date'].filter((candidate) => names.includes(candidate));
      const rejected = await mcp.call(name, { ...given, [present(wrong)]: 'wrong' });
      expect([rejected.isError, rejected.structuredContent.error.status]).toEqual([true, 400]);
      expect(problems(name, rejected.structuredContent)).toEqual([]);
      if (!names.includes('profile_id')) return;
      const missing = await mcp.call(name, { ...given, profile_id: uniqueId() });
      expect([missing.isError, missing.structuredContent.error.status]).toEqual([true, 404]);
      expect(problems(name, missing.structuredContent)).toEqual([]);
    });
  });

  it('match it with everything unknown or hidden, and with texts that are no addresses or URLs', async () => {
    const odd = uniqueId();
    const key = { platform_id: 'live_platform', profile_id: odd };
    await service().load('profiles', { platform_id: 'live_platform', id: odd });
    await service().load('content', { content_id: odd, platform: 'live_platform', type: 'post', url: 'no URL' });
    await service().load('emails', { ...key, email: 'ö@exämple' });
    const { id: keyId, key: policed } = await service().newKey();
    await runForJson(service().testDatabase, 'keys', 'policy', keyId, '--hide', sensitiveMembers().join(','));
    const client = await McpClient.connect(service().origin, policed);
    try {
      await client.client.listTools();
      const { platform_id: platform, profile_id } = key;
      const ask = async (name: string, given: object) => {
        const { isError, structuredContent } = await client.call(name, { platform, ...given });
        expect([name, isError, problems(name, structuredContent)]).toEqual([name, undefined, []]);
      };
      await ask('profiles_get', { profile_id });
      await ask('content_get', { content_id: odd });
      for (const name of ['analysis_get', 'audience_get', 'email_get']) await ask(name, { profile_id: id });
      const answer = await mcp.call('email_get', { platform, profile_id });
      expect([answer.isError, problems('email_get', answer.structuredContent)]).toEqual([undefined, []]);
    } finally {
      await client.close();
    }
  });

  it('are described in a list of tools that stays short', () => {
    expect(Buffer.byteLength(JSON.stringify(tools))).toBeLessThan(tools.length * MAX_BYTES_PER_TOOL);
  });

  it('tell with `include` what can be bought, and who made the content of a game', async () => {
    const creator = aProfile();
    const gameId = uniqueId();
    await service().load('profiles', creator);
    await service().load('content', aContent({ profile_id: creator.id, categories: [liveGame(gameId)] }));
    const platform = 'live_platform';
    const profile = await mcp.call('profiles_get', { platform, profile_id: creator.id, include: 'available' });
    const { available } = profile.structuredContent.meta;
    expect(available).toEqual({ analysis: false, audience: false, socials: false, email: false });
    expect(problems('profiles_get', profile.structuredContent)).toEqual([]);
    const content = await mcp.call('content_by_game', { platform, game_id: gameId, include: 'creators' });
    const { id: creatorId, name, display_name } = creator;
    expect(content.structuredContent.meta.creators).toEqual([{ id: creatorId, name, display_name }]);
    expect(problems('content_by_game', content.structuredContent)).toEqual([]);
    const wrong = await mcp.call('profiles_get', { platform, profile_id: creator.id, include: 'everything' });
    expect(textsOf(wrong)[0]).toContain('400: include must be one of available');
    const descriptionOf = (tool: string) => tools.find((candidate) => candidate.name === tool)?.description;
    expect(descriptionOf('profiles_get')).toContain('`include=available`');
    expect(descriptionOf('content_by_game')).toContain('`include=creators`');
  });
});
