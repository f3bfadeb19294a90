import type { Command } from 'commander';
import type { CommandRunner } from '../command.js';
import { addArchiveCommand } from './archive.command.js';
import { addExportCommand } from './export.command.js';
import { addFindCommand } from './find.command.js';
import { addInvoiceCommand } from './invoice.command.js';
import { addPruneCommand } from './prune.command.js';
import { addReportCommand } from './report.command.js';
import { addSummaryCommand } from './summary.command.js';

export function addUsageCommand(program: Command, run: CommandRunner): void {
  const usage = program
    .command('usage')
    .description('Exports, finds, sums up, bills, reports, archives and prunes usage records');
  for (const add of [
    addExportCommand,
    addFindCommand,
    addSummaryCommand,
    addInvoiceCommand,
    addReportCommand,
    addArchiveCommand,
    addPruneCommand,
  ])
    add(usage, run);
}
