import type { Command } from 'commander';
import { Collector } from './collect/collector.js';
import { SOURCE_PLATFORMS, type CreatorSource } from './collect/collect-source.js';
import { readAccess } from './collect/collect-settings.js';
import { readTargets, readWatched, requireWatch, type WatchOptions } from './collect/collect-targets.js';
import { GameCollector } from './collect/game-collector.js';
import { gameSweeps } from './collect/game-pages.js';
import { IGDB } from './collect/igdb.js';
import { COLLECT_PLATFORMS } from './collect/platforms.js';
import { runCollect, type CollectOptions } from './collect/run-collect.js';
import { countCreators } from './collect/status.js';
import { addWatchOptions, budgetOption, everyOption } from './collect-options.js';
import { addCollectPlanCommand } from './collect-plan.command.js';
import { addCollectStatusCommand } from './collect-status.command.js';
import type { CommandRunner } from './command.js';
import { addExamples } from './help.js';
import { metricsOption } from './input-files.js';
import { protectDatabase, protectFile, renamedOutput, requireNoOverwrite } from './overwrite-guard.js';

type CreatorOptions = CollectOptions & WatchOptions;

type GameOptions = CollectOptions & { readonly all?: true; readonly every: number };

const DESCRIPTIONS: Readonly<Record<CreatorSource, string>> = {
  twitch: 'Asks Twitch about creators: profile, followers, live stream and newest videos',
  youtube: 'Asks the YouTube Data API about channels, and about their newest videos',
  bluesky: 'Asks Bluesky about creators, and about their newest posts',
};

export function addCollectCommand(program: Command, run: CommandRunner): void {
  const collect = program
    .command('collect')
    .description("Asks the platforms' official APIs with your own credentials, and ingests what comes");
  for (const source of Object.keys(DESCRIPTIONS) as CreatorSource[]) addSource(collect, run, source);
  addGames(collect, run);
  addCollectPlanCommand(collect, run);
  addCollectStatusCommand(collect, run);
}

const addCollectOptions = (command: Command): Command =>
  command
    .option('--loop', 'go on until stopped, and ask whenever something is due')
    .addOption(budgetOption())
    .option('--keep <folder>', 'also save the responses there, as files that ingest reads')
    .addOption(metricsOption('collect-twitch.prom'))
    .option('--json', 'machine-readable report');

function addSource(collect: Command, run: CommandRunner, source: CreatorSource): void {
  const platform = COLLECT_PLATFORMS[source];
  const command = addCollectOptions(addWatchOptions(collect.command(source).description(DESCRIPTIONS[source]))).action(
    async (options: CreatorOptions, command: Command) => {
      requireWatch(options);
      const access = readAccess(source, process.env);
      await protectFiles(run, options, options.watch);
      await run(command, (context) =>
        runCollect(context, platform, access, options, async (callOptions) => {
          const { database, store } = callOptions;
          let creators = await readWatched(database, [source], options);
          if (creators.length === 0) callOptions.message(nobodyMessage(source, options));
          const collector = new Collector({
            ...callOptions,
            platform,
            readTargets: async () => {
              try {
                creators = await readWatched(database, [source], options);
              } catch (error) {
                // Somebody may be editing the file while the loop reads it again.
                callOptions.message(`The watch list of before stays in use: ${(error as Error).message}`);
              }
              return readTargets(database, store, source, creators);
            },
          });
          return Object.assign(collector, {
            count: (now: number) => countCreators(platform, collector.targets, now),
          });
        }),
      );
    },
  );
  addExamples(command, `collect ${source} --watch creators.csv`, `collect ${source} --known --every 6h --loop`);
}

/** Says why a run has nobody to ask about. */
const nobodyMessage = (source: CreatorSource, { watch }: WatchOptions): string =>
  watch === undefined
    ? `No profile of ${SOURCE_PLATFORMS[source]} is stored whose ID ${source} knows.`
    : `${watch} names nobody of ${SOURCE_PLATFORMS[source]}.`;

function addGames(collect: Command, run: CommandRunner): void {
  const command = collect
    .command('igdb')
    .description('Asks IGDB about the stored games, and about the games of stored content')
    .option('--all', 'ask about the whole catalogue')
    .addOption(everyOption('7d'));
  addCollectOptions(command).action(async (options: GameOptions, command: Command) => {
    const access = readAccess('igdb', process.env);
    await protectFiles(run, options, undefined);
    await run(command, (context) =>
      runCollect(context, IGDB, access, options, async (callOptions) => {
        const sweeps = gameSweeps(options.all === true);
        const collector = new GameCollector({ ...callOptions, sweeps, everyMs: options.every });
        return Object.assign(collector, { count: () => null });
      }),
    );
  });
  addExamples(command, 'collect igdb', 'collect igdb --all --every 30d');
}

/** @throws OperatorError if `--metrics` would overwrite a file of the database or the watch list */
async function protectFiles(run: CommandRunner, { metrics }: CollectOptions, watch: string | undefined): Promise<void> {
  if (metrics === undefined) return;
  await requireNoOverwrite(renamedOutput(metrics, '--metrics'), [
    ...(await protectDatabase(run.config().database)),
    ...protectFile(watch, 'the watch list'),
  ]);
}
