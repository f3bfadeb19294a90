import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { OPERATION_IDS } from '../../support/openapi/operations.js';
import { aProfile } from '../../support/records/builders.js';
import { ROOT } from '../../support/files/project-root.js';
import { createTestDatabase, type TestDatabase } from '../../support/stores/test-database.js';
import { INITIALIZE, textsOf, type ToolResult } from '../../support/service/mcp-client.js';
import { runBuiltCommand, ServiceProcess } from '../../support/process/processes.js';
import { until } from '../../support/until.js';
import { ALL_DAYS, parseExport } from '../../support/service/usage.js';

describe('creator-data mcp', () => {
  let database: TestDatabase;
  let service: ServiceProcess;
  let keyId: string;
  let key: string;
  const profile = aProfile();

  beforeAll(async () => {
    database = await createTestDatabase('sqlite');
    await runBuiltCommand(['migrate'], settings());
    await runBuiltCommand(['import', 'profiles', '-'], settings(), `${JSON.stringify(profile)}\n`);
    const social = {
      platform_id: 'live_platform',
      profile_id: profile.id,
      links: [{ id: 'x', platform_id: 'video_platform' }],
    };
    await runBuiltCommand(['import', 'socials', '-'], settings(), `${JSON.stringify(social)}\n`);
    ({ id: keyId, key } = JSON.parse(
      (await runBuiltCommand(['keys', 'create', '--name', 'x', '--json'], settings())).out,
    ));
    service = await ServiceProcess.start(settings());
  });
  afterAll(async () => {
    await service.stop();
    await database.drop();
  });

  const settings = () => ({ DATABASE_URL: database.url });

  /** Starts the command as a client does, with only these settings. */
  async function withClient(
    args: readonly string[],
    environment: Readonly<Record<string, string>>,
    test: (client: Client) => Promise<void>,
  ): Promise<void> {
    const client = new Client({ name: 'a test', version: '1.0.0' });
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [join(ROOT, 'dist/bundle/cli.mjs'), 'mcp', ...args],
      env: { ...environment },
      stderr: 'ignore',
    });
    try {
      await client.connect(transport);
      await test(client);
    } finally {
      await client.close();
    }
  }

  const ofCreator = { platform: 'live_platform', profile_id: profile.id };
  const call = async (client: Client, name: string, given: Record<string, unknown>) =>
    (await client.callTool({ name, arguments: given })) as ToolResult;

  it('serves the tools of a running service with the answers, costs and records of HTTP', async () => {
    await withClient(['--url', service.origin], { CREATOR_DATA_KEY: key }, async (client) => {
      expect((await client.listTools()).tools).toHaveLength(OPERATION_IDS.length);
      const result = await call(client, 'profiles_get', ofCreator);
      expect((result.structuredContent as { payload: unknown }).payload).toEqual(profile);
      const exported = await runBuiltCommand(['usage', 'export', '--format', 'ndjson', ...ALL_DAYS], settings());
      expect(parseExport(exported.out).filter((row) => row.key_id === keyId)).toMatchObject([
        { request_id: result._meta?.request_id, operation: 'profiles.get', quota_units: 1, credits: 0 },
      ]);
    });
  });

  it('reads the address from CREATOR_DATA_URL and limits the session to --max-credits', async () => {
    const environment = { CREATOR_DATA_KEY: key, CREATOR_DATA_URL: `${service.origin}/` };
    await withClient(['--max-credits', '15'], environment, async (client) => {
      expect((await call(client, 'socials_get', ofCreator)).isError).toBeUndefined();
      const refused = await call(client, 'socials_get', ofCreator);
      expect(textsOf(refused)[0]).toContain('max_credits 15, 10 are spent');
    });
  });

  it('answers every message sent before its input ended, then exits with status 0', async () => {
    const list = { jsonrpc: '2.0', id: 2, method: 'tools/list' };
    const input = [INITIALIZE, { jsonrpc: '2.0', method: 'notifications/initialized' }, list];
    const { status, out, err } = await runBuiltCommand(
      ['mcp', '--url', service.origin, '--max-credits', '0'],
      { CREATOR_DATA_KEY: key },
      input.map((message) => `${JSON.stringify(message)}\n`).join(''),
    );
    expect([status, err]).toEqual([0, '']);
    expect(
      out
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).id),
    ).toEqual([1, 2]);
  });

  it('answers a malformed line and continues, also when the address is that of /mcp itself', async () => {
    const deep = `{"jsonrpc":"2.0","id":8,"method":"x","params":${'{"a":'.repeat(9000)}1${'}'.repeat(9000)}}`;
    const lines = ['{"jsonrpc"', '{"jsonrpc":"2.0","id":9}', deep, JSON.stringify({ ...INITIALIZE, id: 10 })];
    const { status, out } = await runBuiltCommand(
      ['mcp', '--url', `${service.origin}/mcp`],
      { CREATOR_DATA_KEY: key },
      lines.map((line) => `${line}\n`).join(''),
    );
    const answers = out.trimEnd().split('\n');
    expect([status, answers.map((line) => JSON.parse(line)).map(({ id, error }) => [id, error?.code])]).toEqual([
      0,
      [
        [null, -32700],
        [null, -32700],
        [8, -32600],
        [10, undefined],
      ],
    ]);
  });

  it('reports to the client why it is not served: a wrong key, no service', async () => {
    const connect = (url: string, wrong: string) =>
      withClient(['--url', url], { CREATOR_DATA_KEY: wrong }, async () => undefined);
    await expect(connect(service.origin, 'wrong')).rejects.toMatchObject({
      message: expect.stringContaining(`${service.origin}: Invalid API key`),
      data: { code: 'invalid_api_key' },
    });
    await expect(connect('http://127.0.0.1:9', key)).rejects.toThrow('http://127.0.0.1:9: fetch failed');
  });

  it('exits with one line and status 1 without a key or with an invalid option', async () => {
    const cases = [
      [[], {}, 'CREATOR_DATA_KEY is not set: it must hold an API key'],
      [['--max-credits', '-1'], { CREATOR_DATA_KEY: key }, 'It must be a whole number; see '],
      [['--url', 'localhost:3000'], { CREATOR_DATA_KEY: key }, 'It must be an http or https URL; see '],
    ] as const;
    for (const [args, environment, message] of cases) {
      const { status, out, err } = await runBuiltCommand(['mcp', ...args], environment);
      expect([status, out]).toEqual([1, '']);
      expect(err).toMatch(new RegExp(`^.*${message}.*\n$`));
    }
  });

  it('ends with a reason after a message that is too large', async () => {
    const environment = { CREATOR_DATA_KEY: key, CREATOR_DATA_URL: service.origin };
    const { status, err } = await runBuiltCommand(
      ['mcp'],
      environment,
      `${JSON.stringify(INITIALIZE)}\n${'a'.repeat(11_000_000)}\n`,
    );
    expect([status, err]).toEqual([1, expect.stringContaining('was larger than 10 MiB: nothing after it was read')]);
  });

  it('reads an answer of a server only up to a limit', async () => {
    const chunk = Buffer.alloc(1024 * 1024, 'a');
    const endless = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const write = () => {
        while (response.write(chunk));
      };
      response.on('drain', write);
      write();
    });
    await new Promise<void>((resolve) => endless.listen(0, '127.0.0.1', resolve));
    const environment = {
      CREATOR_DATA_KEY: key,
      CREATOR_DATA_URL: `http://127.0.0.1:${(endless.address() as AddressInfo).port}`,
    };
    try {
      const relay = spawn(process.execPath, [join(ROOT, 'dist/bundle/cli.mjs'), 'mcp'], { env: environment });
      let err = '';
      relay.stderr.on('data', (text: Buffer) => (err += String(text)));
      const ended = once(relay, 'exit');
      relay.stdin.write(`${JSON.stringify(INITIALIZE)}\n`);
      await until('it says something', () => err.endsWith('\n'));
      relay.stdin.end();
      await ended;
      expect(err).toBe('an answer is larger than 67108864 bytes\n');
    } finally {
      endless.closeAllConnections();
      endless.close();
    }
  });

  it('prints no key that a server repeats', async () => {
    const echoing = createServer((request, response) => {
      const message = `there is no key ${String(request.headers['x-api-key'])}`;
      response.writeHead(401, { 'content-type': 'application/json' }).end(JSON.stringify({ error: { message } }));
    });
    await new Promise<void>((resolve) => echoing.listen(0, '127.0.0.1', resolve));
    const { port } = echoing.address() as AddressInfo;
    try {
      const environment = { CREATOR_DATA_KEY: key, CREATOR_DATA_URL: `http://127.0.0.1:${port}` };
      const { out, err } = await runBuiltCommand(['mcp'], environment, `${JSON.stringify(INITIALIZE)}\n`);
      expect(err).toContain('there is no key [key]');
      expect(out + err).not.toContain(key);
    } finally {
      echoing.closeAllConnections();
      echoing.close();
    }
  });

  it('does not print a key that cannot be sent', async () => {
    const { status, err } = await runBuiltCommand(['mcp'], { CREATOR_DATA_KEY: 'secret\r\nx-evil: 1' }, '');
    expect([status, err]).toEqual([1, 'CREATOR_DATA_KEY must hold an API key: ASCII without spaces\n']);
  });
});
