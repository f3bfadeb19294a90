import type { Command } from 'commander';
import { PLATFORMS, type Platform } from '../model/platforms.js';
import { parseAge, parsePlatform } from './arguments.js';
import type { CommandContext, CommandRunner } from './command.js';
import { countOf } from '../model/counts.js';
import { purge } from './import/purge.js';
import { purgeHistory } from './import/purge-history.js';
import { DONE, FAILED } from './output.js';
import { addExamples } from './help.js';

interface PurgeOptions {
  readonly olderThan: number;
  readonly platform?: Platform;
  readonly history?: true;
  readonly dryRun?: true;
  readonly yes?: true;
}

export function addPurgeCommand(program: Command, run: CommandRunner): void {
  const command = program
    .command('purge')
    .description(
      'Removes profiles and content that ingest loaded and has not observed for some time; keeps games and what import loaded last. With --history, removes only old days of the history of profiles',
    )
    .requiredOption('--older-than <age>', 'days since the last observation, such as 30d', parseAge)
    .option('--history', 'purge only the history, whatever loaded it')
    .option('--platform <platform>', 'purge only this platform', parsePlatform)
    .option('--dry-run', 'count what would be removed, and remove nothing')
    .option('--yes', 'remove the records; required without --dry-run')
    .option('--json', 'machine-readable result')
    .action((options: PurgeOptions, command: Command) =>
      run(command, async (context) => {
        const { database, output, audit } = context;
        const isDryRun = options.dryRun === true;
        if (!isDryRun && options.yes !== true) {
          output.printMessage('Add --yes to remove the records, or --dry-run to count them.');
          return FAILED;
        }
        const before = Date.now() - options.olderThan;
        const platforms = options.platform === undefined ? PLATFORMS : [options.platform];
        const since = new Date(before).toISOString();
        if (options.history) return runPurgeHistory(context, platforms, before, isDryRun);
        const target = { not_observed_since: since, platforms };
        if (!isDryRun) await audit.start(target);
        const purged = await purge(database, platforms, before, isDryRun);
        if (!isDryRun) await audit.end({ ...target, ...purged }, 'done');
        output.printResult(
          { not_observed_since: since, platforms, dry_run: isDryRun, removed: purged },
          `${isDryRun ? 'Would remove' : 'Removed'} ${countOf(purged.profiles, 'profile')} and ${countOf(purged.content, 'content item')} that ingest has not observed since ${since}, also if import had loaded them before. What import loaded last is kept.`,
        );
        return DONE;
      }),
    );
  addExamples(
    command,
    'purge --older-than 30d --dry-run',
    'purge --older-than 30d --platform video_platform --yes',
    'purge --history --older-than 730d --yes',
  );
}

/** Purges the days of the history that ended before a time. */
async function runPurgeHistory(
  { database, output, audit }: CommandContext,
  platforms: readonly Platform[],
  before: number,
  isDryRun: boolean,
): Promise<number> {
  const firstDay = new Date(before).toISOString().slice(0, 10);
  const target = { history_before: firstDay, platforms };
  if (!isDryRun) await audit.start(target);
  const days = await purgeHistory(database, platforms, firstDay, isDryRun);
  if (!isDryRun) await audit.end({ ...target, days }, 'done');
  output.printResult(
    { ...target, dry_run: isDryRun, removed: { history: days } },
    `${isDryRun ? 'Would remove' : 'Removed'} ${countOf(days, 'day')} of history before ${firstDay}.`,
  );
  return DONE;
}
