import type { Command } from 'commander';
import { addWatchOptions, parseCollectSource } from './collect-options.js';
import { COLLECT_SOURCES, type CollectSource, type CreatorSource } from './collect/collect-source.js';
import { CollectStore, type Spent } from './collect/collect-store.js';
import {
  readAskedTargets,
  readTargets,
  readWatched,
  requireWatch,
  type WatchOptions,
} from './collect/collect-targets.js';
import { formatCreators } from './collect/collect-report.js';
import { IGDB } from './collect/igdb.js';
import { COLLECT_PLATFORMS } from './collect/platforms.js';
import { quotaDay } from './collect/quota-day.js';
import { listSweeps, type SweepStatus } from './collect/sweeps.js';
import { countCreators, type CreatorCounts } from './collect/status.js';
import type { CommandRunner } from './command.js';
import { countOf, formatCount } from '../model/counts.js';
import { addExamples } from './help.js';
import { DONE } from './output.js';

interface SourceStatus extends CreatorCounts {
  readonly source: CreatorSource;
  readonly spent_today: Spent;
}

/** Games are not watched: a sweep asks about all of them. */
interface GameStatus {
  readonly source: 'igdb';
  readonly sweeps: readonly SweepStatus[];
  readonly spent_today: Spent;
}

const NO_LIST = 'Nobody was asked about yet: name the creators with --watch FILE or --known.';

export function addCollectStatusCommand(collect: Command, run: CommandRunner): void {
  const command = addWatchOptions(
    collect
      .command('status')
      .description('Prints who is due, late, missing and gone, and what was spent today')
      .argument('[source]', `only ${COLLECT_SOURCES.join(', ')}`, parseCollectSource),
  )
    .option('--json', 'machine-readable status')
    .action(async (source: CollectSource | undefined, options: WatchOptions, command: Command) => {
      const isListed = options.watch !== undefined || options.known !== undefined;
      if (isListed) requireWatch(options);
      await run(command, async ({ database, output }) => {
        const now = Date.now();
        const statuses: (SourceStatus | GameStatus)[] = [];
        for (const each of source === undefined ? COLLECT_SOURCES : [source]) {
          const store = new CollectStore(database, each);
          if (each === 'igdb') {
            const spent_today = await store.readSpent(quotaDay(now, IGDB.limits.timeZone));
            statuses.push({ source: each, sweeps: listSweeps(await store.readStates()), spent_today });
            continue;
          }
          const platform = COLLECT_PLATFORMS[each];
          const targets = isListed
            ? await readTargets(database, store, each, await readWatched(database, [each], options))
            : await readAskedTargets(database, store, each);
          const spent_today = await store.readSpent(quotaDay(now, platform.limits.timeZone));
          statuses.push({ source: each, ...countCreators(platform, targets, now), spent_today });
        }
        const isEmpty = !isListed && statuses.every((status) => status.source === 'igdb' || status.creators === 0);
        output.printResult({ sources: statuses }, [...statuses.flatMap(formatStatus), ...(isEmpty ? [NO_LIST] : [])]);
        return DONE;
      });
    });
  addExamples(command, 'collect status', 'collect status youtube --watch creators.csv --json');
}

function formatStatus(status: SourceStatus | GameStatus): string[] {
  return status.source === 'igdb' ? [formatGames(status)] : formatSource(status);
}

function formatGames({ sweeps, spent_today: spent }: GameStatus): string {
  const parts = sweeps.map(({ name, began_at, is_complete }) =>
    is_complete ? `${name} asked ${began_at}` : `${name} begun ${began_at ?? 'never'}, not complete`,
  );
  const today = `today ${countOf(spent.calls, 'call')}, ${countOf(spent.units, 'unit')}`;
  return `igdb: ${parts.join('; ') || 'nothing asked yet'}; ${today}`;
}

function formatSource({ source, spent_today: spent, ...counts }: SourceStatus): string[] {
  const { failing, kept_too_long, gone, gone_creators } = counts;
  const listed = gone_creators.join(' ') + (gone > gone_creators.length ? ' ...' : '');
  return [
    `${source}: ${formatCreators(counts)}; today ${countOf(spent.calls, 'call')}, ${countOf(spent.units, 'unit')}`,
    ...(failing === 0 ? [] : [`  ${formatCount(failing)} failed in the last call and are asked again`]),
    ...(kept_too_long === 0
      ? []
      : [`  ${formatCount(kept_too_long)} kept longer than the watch list allows; purge --older-than removes them`]),
    ...(gone === 0 ? [] : [`  gone: ${listed}`]),
  ];
}
