import type { Command } from 'commander';
import type { IssuedKey, KeyTerms } from './keys/api-keys.js';
import { hiddenMembers } from '../model/field-policy.js';
import { parseKeyName, parseHiddenMembers, parseRateLimit } from './arguments.js';
import type { CommandRunner } from './command.js';
import { addExamples } from './help.js';
import { parseAllowance, parseFutureExpiry } from './keys/key-arguments.js';
import { formatExpiry } from './keys/key-text.js';
import { openKeys } from './keys/open-keys.js';
import { addKeysListCommand } from './keys-list.command.js';
import { describeSimilarCustomers } from './keys/similar-customers.js';
import { countOf } from '../model/counts.js';
import { addKeyTermsCommands } from './keys-terms.command.js';
import { OperatorError } from './operator-error.js';
import { DONE, type Output } from './output.js';

interface CreateOptions {
  readonly name: string;
  readonly customer?: string;
  readonly rateLimit?: number;
  readonly monthUnits?: number;
  readonly monthCredits?: number;
  readonly expires?: number;
  readonly test?: true;
}

export function addKeysCommand(program: Command, run: CommandRunner): void {
  const keys = program.command('keys').description('Issues, changes and revokes API keys');

  addExamples(
    keys
      .command('create')
      .description('Issues a key and prints it. It is never shown again.')
      .requiredOption('--name <name>', 'name of the customer or application', parseKeyName)
      .option('--customer <name>', 'customer who gets the bill; by default the name of the key', parseKeyName)
      .option('--rate-limit <n>', 'requests per minute, instead of the default', parseRateLimit)
      .option('--month-units <n>', 'units that the key may use in a UTC month', parseAllowance)
      .option('--month-credits <n>', 'credits that the key may use in a UTC month', parseAllowance)
      .option('--expires <date>', 'UTC day from which the key is rejected', parseFutureExpiry)
      .option('--test', 'a test key, which is answered from the sample data and never billed')
      .option('--json', 'machine-readable result')
      .action((options: CreateOptions, command: Command) =>
        run(command, async ({ database, audit, output }) => {
          const { name, rateLimit = null } = options;
          const terms = termsOf(options);
          const all = await openKeys(database, audit);
          const issued = await all.create(name, rateLimit, terms);
          await printKey(output, issued, terms);
          for (const line of await describeSimilarCustomers(all, terms.customer ?? name)) output.printMessage(line);
          return DONE;
        }),
      ),
    'keys create --name "First customer" --rate-limit 600',
    'keys create --name "Acme, web shop" --customer Acme --month-units 100000 --expires 2027-01-01',
    'keys create --name "Acme, staging" --customer Acme --test',
    'keys create --name "First customer" --json',
  );

  addKeysListCommand(keys, run);
  addKeyTermsCommands(keys, run);

  addExamples(
    keys
      .command('rotate')
      .description('Replaces a key by a new one; the old one is rejected from this moment')
      .argument('<id>', 'ID of the key')
      .option('--json', 'machine-readable result')
      .action((id: string, _options: unknown, command: Command) =>
        run(
          command,
          async ({ database, audit, output }) => {
            await printKey(output, await (await openKeys(database, audit)).rotate(id));
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
          async ({ database, audit, output }) => {
            await (await openKeys(database, audit)).revoke(id);
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
      .argument('<n>', 'requests per minute, or none for the default', (text) =>
        ['none', 'default'].includes(text) ? null : parseRateLimit(text),
      )
      .option('--json', 'machine-readable result')
      .action((id: string, limit: number | null, _options: unknown, command: Command) =>
        run(
          command,
          async ({ database, audit, output }) => {
            await (await openKeys(database, audit)).setRateLimit(id, limit);
            output.printResult(
              { id, rate_limit: limit },
              limit === null
                ? `Key ${id} has the default limit.`
                : `Key ${id} may make ${countOf(limit, 'request')} per minute.`,
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
          async ({ database, audit, output }) => {
            await (await openKeys(database, audit)).setPolicy(id, kept);
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

const termsOf = ({ customer, monthUnits, monthCredits, expires, test }: CreateOptions): KeyTerms => ({
  customer: customer ?? null,
  month_units: monthUnits ?? null,
  month_credits: monthCredits ?? null,
  expires_at: expires ?? null,
  is_test: test === true ? 1 : 0,
});

/** Prints a new key. @param terms printed where they are set */
async function printKey(output: Output, issued: IssuedKey, terms?: KeyTerms): Promise<void> {
  const { is_test = 0, expires_at = null, ...others } = terms ?? {};
  const more = {
    ...Object.fromEntries(Object.entries(others).filter(([, value]) => value !== null)),
    ...(expires_at === null ? {} : { expires_at: new Date(expires_at).toISOString() }),
    ...(is_test === 0 ? {} : { test: true }),
  };
  output.printResult({ ...issued, ...more }, issued.key);
  await output.flush().catch(() => {
    const remedy = `run "creator-data keys rotate ${issued.id}"`;
    throw new OperatorError('failed', `the key of "${issued.name}" is stored, but was not printed: ${remedy}`);
  });
  output.printMessage(`This is the key of "${issued.name}" (${issued.id}). It will not be shown again.`);
  if (expires_at !== null) output.printMessage(`It ${formatExpiry(expires_at, Date.now())}.`);
}
