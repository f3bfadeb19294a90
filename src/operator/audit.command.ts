import type { Command } from 'commander';
import { endOfDay, startOfDay } from '../model/calendar-date.js';
import { parseDate } from './arguments.js';
import type { AuditTarget } from './audit/audit.js';
import { listAuditEntries } from './audit/read-audit.js';
import type { CommandRunner } from './command.js';
import { addExamples } from './help.js';
import { OperatorError } from './operator-error.js';
import { DONE } from './output.js';
import { formatTable } from './table.js';

interface AuditListOptions {
  readonly from?: string;
  readonly to?: string;
}

const HEADINGS = ['TIME', 'USER', 'HOST', 'COMMAND', 'TARGET', 'OUTCOME'];

export function addAuditCommand(program: Command, run: CommandRunner): void {
  const audit = program.command('audit').description('Shows what commands changed, when, and who ran them');
  addExamples(
    audit
      .command('list')
      .description('Lists the commands that changed something, oldest first')
      .option('--from <date>', 'first UTC day', parseDate)
      .option('--to <date>', 'last UTC day, inclusive', parseDate)
      .option('--json', 'machine-readable result')
      .action(({ from, to }: AuditListOptions, command: Command) =>
        run(
          command,
          async ({ database, output }) => {
            if (from !== undefined && to !== undefined && to < from) {
              throw new OperatorError('invalid_arguments', `--from ${from} is later than --to ${to}: swap them`);
            }
            const entries = await listAuditEntries(
              database,
              from === undefined ? 0 : startOfDay(from),
              to === undefined ? Number.MAX_SAFE_INTEGER : endOfDay(to),
            );
            const rows = entries.map((entry) => [
              entry.time,
              entry.os_user,
              entry.host,
              entry.command,
              formatTarget(entry.target),
              entry.outcome,
            ]);
            output.printResult(entries, formatTable(HEADINGS, rows));
            return DONE;
          },
          'existing',
        ),
      ),
    'audit list',
    'audit list --from 2026-01-01 --to 2026-01-31 --json',
  );
}

const formatTarget = (target: AuditTarget): string =>
  Object.entries(target)
    .map(([name, value]) => `${name}=${Array.isArray(value) ? value.join(',') : String(value)}`)
    .join(' ');
