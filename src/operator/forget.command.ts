import { Argument, type Command } from 'commander';
import { forgetCreator, undoForget, type RemovedCounts } from './import/forget.js';
import { findKnownCreator, type KnownCreator } from './import/known-creator.js';
import { foldHandle, stripAt } from '../features/profiles/handle.js';
import { PLATFORMS, type Platform } from '../model/platforms.js';
import { parsePlatform } from './arguments.js';
import type { CommandContext, CommandRunner } from './command.js';
import { confirmDeletion, addDeletionOptions, type DeletionOptions } from './confirm.js';
import { countOf } from '../model/counts.js';
import { addExamples } from './help.js';
import { OperatorError } from './operator-error.js';
import { DONE, FAILED } from './output.js';

interface ForgetOptions extends DeletionOptions {
  readonly undo?: true;
  readonly unknown?: true;
}

export function addForgetCommand(program: Command, run: CommandRunner): void {
  const command = addDeletionOptions(
    program
      .command('forget')
      .description('Removes what is stored about a creator; later imports reject lines about the creator, until --undo')
      .addArgument(new Argument('<platform>', 'platform of the profile').choices(PLATFORMS).argParser(parsePlatform))
      .argument('<profile_id>', 'ID of the profile')
      .option('--undo', 'accept lines about the creator again; what was removed must be loaded again')
      .option('--unknown', 'reject later lines even if nothing about the creator is stored'),
  )
    .option('--json', 'machine-readable result')
    .action((on: Platform, profileId: string, options: ForgetOptions, command: Command) =>
      run(
        command,
        (context) => (options.undo ? undo(context, on, profileId) : runForget(context, on, profileId, options)),
        'existing',
      ),
    );
  addExamples(
    command,
    'forget live_platform 10001 --dry-run',
    'forget live_platform 10001 --yes',
    'forget live_platform 10001 --undo',
  );
}

async function undo({ database, output, audit }: CommandContext, on: Platform, profileId: string): Promise<number> {
  if (!(await undoForget(database, on, profileId, audit))) {
    throw new OperatorError('not_found', `${on} ${profileId} was not forgotten: check platform and ID`);
  }
  output.printResult(
    { platform: on, profile_id: profileId, forgotten: false },
    `${on} ${profileId} can be imported again. What was removed must be loaded again.`,
  );
  return DONE;
}

async function runForget(
  { database, output, audit }: CommandContext,
  on: Platform,
  profileId: string,
  options: ForgetOptions,
): Promise<number> {
  const known = await findKnownCreator(database, on, profileId);
  const isEmpty = Object.values(known.stored).every((count) => count === 0);
  if (isEmpty && known.forgottenAt === null && options.unknown !== true) {
    const handle = foldHandle(stripAt(profileId));
    // Loads Nest, which the other commands do without.
    const { ProfilesQueries } = await import('../features/profiles/profiles.queries.js');
    const owner = (await new ProfilesQueries(database).findIdsByHandle(on, [handle])).get(handle);
    const advice =
      owner === undefined
        ? 'check platform and ID; add --unknown to reject later lines anyway'
        : `it is the handle of ${owner}: name the ID`;
    throw new OperatorError('not_found', `nothing is stored about ${on} ${profileId}: ${advice}`);
  }
  const result = (removed: RemovedCounts) => ({
    platform: on,
    profile_id: profileId,
    forgotten: options.dryRun !== true || known.forgottenAt !== null,
    dry_run: options.dryRun === true,
    removed,
  });
  if (options.dryRun) {
    output.printResult(result(known.stored), `Would remove ${describeCounts(known.stored)}.${describeSince(known)}`);
    return DONE;
  }
  // No confirmation if there is nothing to delete.
  if (!isEmpty && !(await confirmDeletion(`Remove ${on} ${profileId}: ${describeCounts(known.stored)}?`, options))) {
    output.printMessage('Nothing was removed.');
    return FAILED;
  }
  const removed = await forgetCreator(database, on, profileId, known.forgottenAt ?? Date.now(), audit);
  output.printResult(result(removed), `Removed ${describeCounts(removed)}.${describeSince(known)}`);
  return DONE;
}

const describeCounts = ({ profiles, content, documents, history, links }: RemovedCounts): string =>
  `${countOf(profiles, 'profile')}, ${countOf(content, 'content item')}, ${countOf(documents, 'other record')}, ` +
  `${countOf(history, 'day')} of history and ${countOf(links, 'link')} of other creators`;

const describeSince = ({ forgottenAt }: KnownCreator): string =>
  forgottenAt === null ? '' : ` Later lines have been rejected since ${new Date(forgottenAt).toISOString()}.`;
