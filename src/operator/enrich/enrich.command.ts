import type { Command } from 'commander';
import type { CommandRunner } from '../command.js';
import { addAnalysisCommand } from './analysis.command.js';
import { addCheckCommand } from './check.command.js';
import { addShowCommand } from './show.command.js';
import { addStatusCommand } from './status.command.js';

export function addEnrichCommand(program: Command, run: CommandRunner): void {
  const enrich = program
    .command('enrich')
    .description(
      'Makes analyses of creators by a language model, and shows how they were made, what they cost and how good they are',
    );
  for (const add of [addAnalysisCommand, addShowCommand, addStatusCommand, addCheckCommand]) add(enrich, run);
}
