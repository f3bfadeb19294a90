import { InvalidArgumentError, Option, type Command } from 'commander';
import { parseRateLimit } from './arguments.js';
import { COLLECT_SOURCES, CREATOR_SOURCES, type CollectSource, type CreatorSource } from './collect/collect-source.js';
import { DURATION_RULE, parseDuration } from './collect/duration.js';

/** Adds `--watch`, `--known` and `--every`. */
export const addWatchOptions = (command: Command): Command =>
  command
    .option('--watch <file>', 'watch list: NDJSON, or CSV if its name ends with .csv; see docs/collecting.md')
    .option('--known', 'all stored profiles of the platform')
    .addOption(everyOption('1d'));

/** Creates the option `--every DURATION`. */
export const everyOption = (fallback: string): Option =>
  new Option('--every <duration>', 'how often to ask about those without an interval of their own, such as 6h')
    .argParser(parseEvery)
    .default(parseEvery(fallback), fallback);

function parseEvery(text: string): number {
  const ms = parseDuration(text);
  if (ms === null) throw new InvalidArgumentError(`It ${DURATION_RULE}.`);
  return ms;
}

/** Creates the option `--budget N`. */
export const budgetOption = (): Option =>
  new Option('--budget <n>', 'units a day that may be spent; of YouTube 8000 unless named here').argParser(
    parseRateLimit,
  );

export function parseCollectSource(text: string): CollectSource {
  const source = COLLECT_SOURCES.find((each) => each === text);
  if (source === undefined) throw new InvalidArgumentError(`It must be one of ${COLLECT_SOURCES.join(', ')}.`);
  return source;
}

export function parseCreatorSource(text: string): CreatorSource {
  const source = CREATOR_SOURCES.find((each) => each === text);
  if (source === undefined) throw new InvalidArgumentError(`It must be one of ${CREATOR_SOURCES.join(', ')}.`);
  return source;
}
