import type { Command } from 'commander';
import { ApiKeys, type IssuedKey } from './keys/api-keys.js';
import { installationSecret } from '../database/installation-secret.js';
import { KeyFormat } from '../features/auth/key-format.js';
import { hiddenMembers } from '../model/field-policy.js';
import type { Database } from '../database/database.js';
import { parseKeyName, parseHiddenMembers, parseRateLimit } from './arguments.js';
import type { CommandRunner } from './command.js';
import { addExamples } from './help.js';
import { addKeysListCommand } from './keys-list.command.js';
import { countOf } from './counts.js';
import { DONE, type Output } from './output.js';

export function addKeysCommand(program: Command, run: CommandRunner): void {
  const keys = program.command('keys').description('Issues, changes and revokes API keys');

  addExamples(
    keys
      .command('create')
      .description('Issues a key and prints it. It is never shown again.')
      .requiredOption('--name <name>', 'name of the customer or application', parseKeyName)
      .option('--rate-limit <n>', 'requests per minute, instead of the default', parseRateLimit)
      .option('--json', 'machine-readable result')
      .action((options: { name: string; rateLimit?: number }, command: Command) =>
        run(command, async ({ database, output }) => {
          printKey(output, await (await openKeys(database)).create(options.name, options.rateLimit ?? null));
          return DONE;
        }),
      ),
    'keys create --name "First customer" --rate-limit 600',
    'keys create --name "First customer" --json',
  );

  addKeysListCommand(keys, run);

  addExamples(
    keys
      .command('rotate')
      .description('Replaces a key by a new one; the old one is rejected from this moment')
      .argument('<id>', 'ID of the key')
      .option('--json', 'machine-readable result')
      .action((id: string, _options: unknown, command: Command) =>
        run(
          command,
          async ({ database, output }) => {
            printKey(output, await (await openKeys(database)).rotate(id));
            return DONE;
          },
          'existing',
        ),
      ),
    'keys rotate key_0123456789abcdef',
  );

  addExamples(
    keys
      .command('revoke')
      .description('Revokes a key permanently, from this moment')
      .argument('<id>', 'ID of the key')
      .option('--json', 'machine-readable result')
      .action((id: string, _options: unknown, command: Command) =>
        run(
          command,
          async ({ database, output }) => {
            await (await openKeys(database)).revoke(id);
            output.printResult({ id, revoked: true }, `Key ${id} is revoked.`);
            return DONE;
          },
          'existing',
        ),
      ),
    'keys revoke key_0123456789abcdef',
  );

  addExamples(
    keys
      .command('limit')
      .description("Sets a key's requests per minute")
      .argument('<id>', 'ID of the key')
      .argument('<n>', 'requests per minute', parseRateLimit)
      .option('--json', 'machine-readable result')
      .action((id: string, limit: number, _options: unknown, command: Command) =>
        run(
          command,
          async ({ database, output }) => {
            await (await openKeys(database)).setRateLimit(id, limit);
            output.printResult(
              { id, rate_limit: limit },
              `Key ${id} may make ${countOf(limit, 'request')} per minute.`,
            );
            return DONE;
          },
          'existing',
        ),
      ),
    'keys limit key_0123456789abcdef 600',
  );

  addExamples(
    keys
      .command('policy')
      .description('Sets the members that are hidden from a key, from the next request on')
      .argument('<id>', 'ID of the key')
      .requiredOption(
        '--hide <members>',
        'members, comma-separated; "sensitive"; or "none" to show everything',
        parseHiddenMembers,
      )
      .option('--json', 'machine-readable result')
      .action((id: string, { hide: { kept } }: { hide: { kept: string | null } }, command: Command) =>
        run(
          command,
          async ({ database, output }) => {
            await (await openKeys(database)).setPolicy(id, kept);
            const hidden = [...(hiddenMembers(kept) ?? [])];
            output.printResult(
              { id, hidden_members: hidden },
              `Hidden from key ${id}: ${hidden.join(', ') || 'nothing'}.`,
            );
            return DONE;
          },
          'existing',
        ),
      ),
    'keys policy key_0123456789abcdef --hide sensitive',
    'keys policy key_0123456789abcdef --hide sensitive,nationality',
    'keys policy key_0123456789abcdef --hide none',
  );
}

async function openKeys(database: Database): Promise<ApiKeys> {
  return new ApiKeys(database, new KeyFormat(await installationSecret(database)), Date.now);
}

function printKey(output: Output, issued: IssuedKey): void {
  output.printResult(issued, issued.key);
  output.printMessage(`This is the key of "${issued.name}" (${issued.id}). It will not be shown again.`);
}
