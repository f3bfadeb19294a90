import type { Command } from 'commander';
import { parseKeyName } from './arguments.js';
import type { CommandRunner } from './command.js';
import { addExamples } from './help.js';
import type { AllowanceChanges } from './keys/api-keys.js';
import { parseAllowanceOrNone, parseExpiryOrNone, type Given } from './keys/key-arguments.js';
import { formatExpiry, formatAllowance } from './keys/key-text.js';
import { describeSimilarCustomers } from './keys/similar-customers.js';
import { openKeys } from './keys/open-keys.js';
import { OperatorError } from './operator-error.js';
import { DONE } from './output.js';

interface AllowanceOptions {
  readonly monthUnits?: Given<number | null>;
  readonly monthCredits?: Given<number | null>;
}

/** Adds the commands that change what a customer buys with a key: plan, expiry and customer. */
export function addKeyTermsCommands(keys: Command, run: CommandRunner): void {
  addExamples(
    keys
      .command('plan')
      .description("Sets a key's allowances for a UTC month, from the next request on")
      .argument('<id>', 'ID of the key')
      .option('--month-units <n>', 'units per month; none removes the limit', parseAllowanceOrNone)
      .option('--month-credits <n>', 'credits per month; none removes the limit', parseAllowanceOrNone)
      .option('--json', 'machine-readable result')
      .action((id: string, { monthUnits, monthCredits }: AllowanceOptions, command: Command) =>
        run(
          command,
          async ({ database, audit, output }) => {
            const changes: AllowanceChanges = {
              ...(monthUnits === undefined ? {} : { month_units: monthUnits.value }),
              ...(monthCredits === undefined ? {} : { month_credits: monthCredits.value }),
            };
            if (Object.keys(changes).length === 0) {
              throw new OperatorError('invalid_arguments', 'name --month-units, --month-credits or both');
            }
            const plan = await (await openKeys(database, audit)).setAllowance(id, changes);
            output.printResult({ id, ...plan }, `Month allowance of key ${id}: ${formatAllowance(plan)}.`);
            return DONE;
          },
          'existing',
        ),
      ),
    'keys plan key_0123456789abcdef --month-units 100000 --month-credits 5000',
    'keys plan key_0123456789abcdef --month-credits none',
  );

  addExamples(
    keys
      .command('expire')
      .description('Sets the UTC day from which a key is rejected')
      .argument('<id>', 'ID of the key')
      .argument('<date>', 'first day on which the key is rejected; none: never', parseExpiryOrNone)
      .option('--json', 'machine-readable result')
      .action((id: string, { value: expiresAt }: Given<number | null>, _options: unknown, command: Command) =>
        run(
          command,
          async ({ database, audit, output }) => {
            await (await openKeys(database, audit)).setExpiry(id, expiresAt);
            output.printResult(
              { id, expires_at: expiresAt === null ? null : new Date(expiresAt).toISOString() },
              `Key ${id} ${formatExpiry(expiresAt, Date.now())}.`,
            );
            return DONE;
          },
          'existing',
        ),
      ),
    'keys expire key_0123456789abcdef 2027-01-01',
    'keys expire key_0123456789abcdef none',
  );

  addExamples(
    keys
      .command('customer')
      .description('Sets the customer who gets the bill of a key; keys of one customer share a bill')
      .argument('<id>', 'ID of the key')
      .argument('<name>', 'name of the customer', parseKeyName)
      .option('--json', 'machine-readable result')
      .action((id: string, customer: string, _options: unknown, command: Command) =>
        run(
          command,
          async ({ database, audit, output }) => {
            const all = await openKeys(database, audit);
            await all.setCustomer(id, customer);
            output.printResult({ id, customer }, `The bill of key ${id} goes to ${customer}.`);
            for (const line of await describeSimilarCustomers(all, customer)) output.printMessage(line);
            return DONE;
          },
          'existing',
        ),
      ),
    'keys customer key_0123456789abcdef "Acme Analytics GmbH"',
  );
}
