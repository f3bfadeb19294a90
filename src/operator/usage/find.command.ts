import type { Command } from 'commander';
import { findRecord } from './usage-export.js';
import { parseRequestId } from '../arguments.js';
import type { CommandRunner } from '../command.js';
import { addExamples } from '../help.js';
import { OperatorError } from '../operator-error.js';
import { DONE } from '../output.js';
import { settleOutageFiles } from '../settle-outage-files.js';
import { formatTable } from '../table.js';
import { isTestRecord } from './export-line.js';
import { listKeyNames, listTestKeys } from './key-names.js';

export function addFindCommand(usage: Command, run: CommandRunner): void {
  const command = usage
    .command('find')
    .description(
      'Finds the usage record of a request. It searches the newest records first, so old requests take longer.',
    )
    .argument('<request_id>', 'X-Request-Id or meta.request_id of the response', parseRequestId)
    .option('--json', 'machine-readable result')
    .action((id: string, _options: unknown, command: Command) =>
      run(
        command,
        async ({ database, dataFolder, output }) => {
          await settleOutageFiles(database, dataFolder, output);
          const record = await findRecord(database, id);
          if (record === null) {
            throw new OperatorError(
              'not_found',
              `there is no record of request ${id}: check the ID; the request may have needed no key, or its record was pruned: look in the archive, ` +
                `such as zgrep ${id} archives/2026-01/*.gz`,
            );
          }
          const names = await listKeyNames(database);
          const found = {
            ...record,
            occurred_at: new Date(record.occurred_at).toISOString(),
            key_name: record.key_id === null ? null : (names.get(record.key_id) ?? null),
            ...(isTestRecord(record, await listTestKeys(database)) ? { test: true } : {}),
          };
          const rows = Object.entries(found).map(([name, value]) => [name, value === null ? '' : String(value)]);
          output.printResult(found, formatTable(['MEMBER', 'VALUE'], rows));
          return DONE;
        },
        'existing',
      ),
    );
  addExamples(command, 'usage find 0b7c8c1e-2f3a-4b5c-8d9e-0f1a2b3c4d5e');
}
