import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { ROOT } from '../../support/files/project-root.js';
import { McpClient, postMessage } from '../../support/service/mcp-client.js';
import { describeService } from '../../support/service/test-service.js';
import { exportedRecords } from '../../support/service/usage.js';

const URI = 'creator-data:///guide.md';

describeService('resources of /mcp', (service) => {
  const send = (method: string, params: object, key: string) =>
    postMessage(service(), { jsonrpc: '2.0', id: 1, method, params }, { 'x-api-key': key });

  it('are the guide for integrators, as Markdown', async () => {
    const mcp = await McpClient.connect(service().origin, service().key);
    try {
      const { resources } = await mcp.client.listResources();
      expect(resources).toEqual([expect.objectContaining({ uri: URI, name: 'guide', mimeType: 'text/markdown' })]);
      expect(await mcp.client.listResourceTemplates()).toEqual({ resourceTemplates: [] });
      const text = readFileSync(join(ROOT, 'docs/guide.md'), 'utf8');
      expect(await mcp.client.readResource({ uri: URI })).toEqual({
        contents: [{ uri: URI, mimeType: 'text/markdown', text }],
      });
      expect(mcp.client.getInstructions()).toContain(URI);
    } finally {
      await mcp.close();
    }
  });

  it('are free and unrecorded, and count in the minute', async () => {
    const { id, key } = await service().newKey(5);
    const answers = [await send('resources/list', {}, key), await send('resources/read', { uri: URI }, key)];
    expect(answers.map(({ status, headers }) => [status, headers['x-ratelimit-minute-remaining']])).toEqual([
      [200, '4'],
      [200, '3'],
    ]);
    expect((await exportedRecords(service())).filter((row) => row.key_id === id)).toEqual([]);
  });

  it.each([
    [{ uri: 'creator-data:///other.md' }, -32002, 'Unknown resource: creator-data:///other.md', 'unknown_resource'],
    [{ uri: '../guide.md' }, -32002, 'Unknown resource: ../guide.md', 'unknown_resource'],
    [{}, -32602, expect.stringMatching(/^params\.uri: /), 'invalid_message'],
  ])('cannot be read with %j', async (params, code, message, name) => {
    const { body } = await send('resources/read', params, service().key);
    expect(body.error).toMatchObject({ code, data: { code: name } });
    expect(String(body.error.message).replace(/^MCP error -?\d+: /, '')).toEqual(message);
  });
});
