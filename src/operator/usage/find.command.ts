import type { Command } from 'commander';
import { findUsage } from './usage-export.js';
import { requestId } from '../arguments.js';
import type { RunWith } from '../command.js';
import { withExamples } from '../help.js';
import { OperatorError } from '../operator-error.js';
import { DONE } from '../output.js';
import { settleLeftovers } from '../settle-leftovers.js';
import { table } from '../table.js';
import { keyNames } from './names.js';

export function addFindCommand(usage: Command, run: RunWith): void {
  const command = usage
    .command('find')
    .description(
      'Finds the usage record of a request. It searches the newest records first, so old requests take longer.',
    )
    .argument('<request_id>', 'X-Request-Id or meta.request_id of the response', requestId)
    .option('--json', 'machine-readable result')
    .action((id: string, _options: unknown, command: Command) =>
      run(
        command,
        async ({ database, dataFolder, output }) => {
          await settleLeftovers(database, dataFolder);
          const record = await findUsage(database, id);
          if (record === null) {
            throw new OperatorError(
              'not_found',
              `there is no record of request ${id}: check the ID; the record may have been pruned, or the request needed no key`,
            );
          }
          const names = await keyNames(database);
          const found = {
            ...record,
            occurred_at: new Date(record.occurred_at).toISOString(),
            key_name: record.key_id === null ? null : (names.get(record.key_id) ?? null),
          };
          const rows = Object.entries(found).map(([name, value]) => [name, value === null ? '' : String(value)]);
          output.result(found, table(['MEMBER', 'VALUE'], rows));
          return DONE;
        },
        'existing',
      ),
    );
  withExamples(command, 'usage find 0b7c8c1e-2f3a-4b5c-8d9e-0f1a2b3c4d5e');
}
