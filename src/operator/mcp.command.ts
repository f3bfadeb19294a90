import { Option, type Command } from 'commander';
import { parseCredits, parseHttpUrl } from './arguments.js';
import { addExamples } from './help.js';

interface McpOptions {
  readonly url: URL;
  readonly maxCredits?: number;
}

/** Adds `mcp`: MCP over standard input and output, for clients that start their servers themselves. */
export function addMcpCommand(program: Command): void {
  const command = program
    .command('mcp')
    .description(
      'Serves the tools of a running service over standard input and output. CREATOR_DATA_KEY must hold the API key.',
    )
    .addOption(
      new Option('--url <url>', 'address of the service')
        .env('CREATOR_DATA_URL')
        .default(new URL('http://localhost:3000'), 'http://localhost:3000')
        .argParser(parseHttpUrl),
    )
    .option('--max-credits <number>', 'reject calls that could bring the session above this many credits', parseCredits)
    .action(async ({ url, maxCredits }: McpOptions) => {
      const key = process.env.CREATOR_DATA_KEY ?? '';
      if (key === '') throw new Error('CREATOR_DATA_KEY is not set: it must hold an API key');
      // Its value would be in the error of the request that sends it.
      if (!isHeaderValue(key)) throw new Error('CREATOR_DATA_KEY must hold an API key: ASCII without spaces');
      // Loaded lazily: no other command needs the SDK.
      const { relayMcp } = await import('./mcp-relay.js');
      await relayMcp(url, key, maxCredits ?? null);
    });
  addExamples(command, 'mcp --url http://localhost:3000', 'mcp --max-credits 500');
}

const isHeaderValue = (text: string): boolean => /^[!-~]+$/.test(text);
