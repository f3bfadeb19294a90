import type { Command } from 'commander';
import { addWatchOptions, budgetOption, parseCreatorSource } from './collect-options.js';
import { CREATOR_SOURCES, type CreatorSource } from './collect/collect-source.js';
import { readWatched, requireWatch, type WatchOptions } from './collect/collect-targets.js';
import { formatDuration } from './collect/duration.js';
import { planOf, type Plan } from './collect/plan.js';
import { COLLECT_PLATFORMS } from './collect/platforms.js';
import type { CommandRunner } from './command.js';
import { formatCount } from '../model/counts.js';
import { addExamples } from './help.js';
import { OperatorError } from './operator-error.js';
import { DONE, FAILED } from './output.js';
import { formatTable } from './table.js';

type PlanOptions = WatchOptions & { readonly budget?: number };

export function addCollectPlanCommand(collect: Command, run: CommandRunner): void {
  const command = addWatchOptions(
    collect
      .command('plan')
      .description('Prints calls and units a day for a watch list; fails if the budget does not hold them')
      .argument('[source]', `only ${CREATOR_SOURCES.join(', ')}`, parseCreatorSource),
  )
    .addOption(budgetOption())
    .option('--json', 'machine-readable plan')
    .action(async (source: CreatorSource | undefined, options: PlanOptions, command: Command) => {
      requireWatch(options);
      if (options.budget !== undefined && source === undefined)
        throw new OperatorError(
          'invalid_arguments',
          '--budget is of one source: name it, such as collect plan youtube',
        );
      await run(command, async ({ database, output }) => {
        const sources = source === undefined ? CREATOR_SOURCES : [source];
        const creators = await readWatched(database, sources, options);
        const plans = sources.map((each) => {
          const platform = COLLECT_PLATFORMS[each];
          const own = creators.filter((creator) => creator.source === each);
          return planOf(platform, own, options.budget ?? platform.limits.unitsPerDay);
        });
        const refused = plans.filter(({ fits }) => !fits);
        output.printResult({ fits: refused.length === 0, plans }, formatPlans(plans));
        for (const plan of refused) output.printMessage(explain(plan));
        return refused.length === 0 ? DONE : FAILED;
      });
    });
  addExamples(command, 'collect plan --watch creators.csv', 'collect plan youtube --known --every 6h --budget 9000');
}

const HEAD = ['source', 'creators', 'first calls', 'first units', 'takes', 'calls/day', 'units/day', 'budget'];

const formatPlans = (plans: readonly Plan[]): string[] =>
  formatTable(
    HEAD,
    plans.map((plan) => [
      plan.source,
      plan.creators,
      plan.first_calls,
      plan.first_units,
      formatDuration((plan.first_calls / plan.max_calls_per_day) * 86_400_000),
      plan.calls_per_day,
      plan.units_per_day,
      plan.budget === null ? 'none' : formatCount(plan.budget),
    ]),
  );

/** Says what does not fit, and what to do. */
function explain({ source, units_per_day, budget, calls_per_day, max_calls_per_day }: Plan): string {
  return budget !== null && units_per_day > budget
    ? `${source} needs ${formatCount(units_per_day)} units a day, and the budget is ${formatCount(budget)}: lengthen "every", or raise --budget`
    : `${source} needs ${formatCount(calls_per_day)} calls a day, and its limit allows ${formatCount(max_calls_per_day)}: lengthen "every"`;
}
