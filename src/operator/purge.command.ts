import type { Command } from 'commander';
import { PLATFORMS, type Platform } from '../model/platforms.js';
import { parseAge, parsePlatform } from './arguments.js';
import type { CommandRunner } from './command.js';
import { purge } from './import/purge.js';
import { DONE, FAILED } from './output.js';
import { addExamples } from './help.js';

interface PurgeOptions {
  readonly olderThan: number;
  readonly platform?: Platform;
  readonly dryRun?: true;
  readonly yes?: true;
}

export function addPurgeCommand(program: Command, run: CommandRunner): void {
  const command = program
    .command('purge')
    .description('Removes ingested profiles and content that were not observed for some time')
    .requiredOption('--older-than <age>', 'days since the last observation, such as 30d', parseAge)
    .option('--platform <platform>', 'purge only this platform', parsePlatform)
    .option('--dry-run', 'count what would be removed, and remove nothing')
    .option('--yes', 'remove the records; required without --dry-run')
    .option('--json', 'machine-readable result')
    .action((options: PurgeOptions, command: Command) =>
      run(command, async ({ database, output, audit }) => {
        const isDryRun = options.dryRun === true;
        if (!isDryRun && options.yes !== true) {
          output.printMessage('Add --yes to remove the records, or --dry-run to count them.');
          return FAILED;
        }
        const before = Date.now() - options.olderThan;
        const platforms = options.platform === undefined ? PLATFORMS : [options.platform];
        const since = new Date(before).toISOString();
        const target = { not_observed_since: since, platforms };
        if (!isDryRun) await audit.start(target);
        const purged = await purge(database, platforms, before, isDryRun);
        if (!isDryRun) await audit.end({ ...target, ...purged }, 'done');
        output.printResult(
          { not_observed_since: since, platforms, dry_run: isDryRun, removed: purged },
          `${isDryRun ? 'Would remove' : 'Removed'} ${purged.profiles.toLocaleString('en')} profiles and ${purged.content.toLocaleString('en')} content items that were not observed since ${since}.`,
        );
        return DONE;
      }),
    );
  addExamples(command, 'purge --older-than 30d --dry-run', 'purge --older-than 30d --platform video_platform --yes');
}
