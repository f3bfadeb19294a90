import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { Option, type Command } from 'commander';
import { PLATFORMS, type Platform } from '../../model/platforms.js';
import { parseAge, parsePlatform } from '../arguments.js';
import { retryDelayMs } from '../collect/backoff.js';
import type { CommandContext, CommandRunner } from '../command.js';
import { addExamples } from '../help.js';
import { OperatorError } from '../operator-error.js';
import { DONE, FAILED, SOMETHING_REJECTED } from '../output.js';
import { ProgressBar } from '../progress-bar.js';
import { PROMPT_PATH } from '../prompt-path.js';
import { stopSignal } from '../stop-signal.js';
import { BatchApi } from './batch-api.js';
import { BATCH_PERCENT, costNumber } from './cost.js';
import { BatchRun, type BatchRunOptions } from './batch-run.js';
import { ModelClient } from './model-client.js';
import { readCandidates } from './candidates.js';
import { ChatEndpoint } from './chat-endpoint.js';
import { appendOption, parseMaxCost, wholeNumber } from './enrich-arguments.js';
import { readEnrichSettings, type EnrichSettings } from './enrich-settings.js';
import { Enricher } from './enricher.js';
import { estimate } from './estimate.js';
import { Ledger } from './ledger.js';
import { readPrompt, type Prompt } from './prompt.js';
import { CreatorReader, type Selection } from './read-creators.js';
import { formatEstimate, formatRun } from './report-text.js';
import { createReport, type RunReport } from './run-report.js';
import { processAll, type RunResult } from './run.js';
import type { Limits } from './run-state.js';

interface AnalysisOptions {
  readonly platform?: Platform;
  readonly id?: readonly string[];
  readonly known?: true;
  readonly olderThan?: number;
  readonly maxCost?: number;
  readonly maxTokens?: number;
  readonly dryRun?: true;
  readonly batch?: true;
  readonly poll: number;
  readonly concurrency: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly timeout: number;
  readonly prompt?: string;
  readonly includeInferred?: true;
  readonly retryRejected?: true;
}

const range = (flags: string, description: string, [min, max]: readonly [number, number], byDefault: number) =>
  new Option(flags, description).argParser(wholeNumber(min, max)).default(byDefault);

export function addAnalysisCommand(enrich: Command, run: CommandRunner): void {
  const command = enrich
    .command('analysis')
    .description(
      'Makes analyses of creators from their profiles and newest content by a model. ENRICH_BASE_URL and ENRICH_MODEL name it. ' +
        'The same command continues after an interruption; what was paid for is never paid for again.',
    )
    .addOption(
      new Option('--platform <platform>', 'only creators of this platform').choices(PLATFORMS).argParser(parsePlatform),
    )
    .addOption(
      new Option('--id <id>', 'only this creator, even with an analysis; repeatable; needs --platform').argParser(
        appendOption,
      ),
    )
    .option('--known', 'all stored creators, also those with an analysis (default: those without)')
    .option('--older-than <age>', 'also creators whose analysis is older, such as 90d', parseAge)
    .option('--max-cost <amount>', 'most that the run may spend, in the currency of the prices', parseMaxCost)
    .option(
      '--max-tokens <n>',
      'most tokens that the run may use; instead of --max-cost without prices',
      wholeNumber(1, 1e12),
    )
    .option('--dry-run', 'print an estimate; call and store nothing, but read the settings of the endpoint')
    .option(
      '--batch',
      'use the batch files of the endpoint: half the price, done within a day; the same command continues',
    )
    .addOption(range('--poll <seconds>', 'time between looks at a batch', [1, 3600], 60))
    .addOption(range('--concurrency <n>', 'calls in flight', [1, 64], 4))
    .addOption(range('--input-tokens <n>', "most tokens of a creator's data, one per byte", [1000, 1_000_000], 24_000))
    .addOption(range('--output-tokens <n>', 'most tokens of an answer', [100, 1_000_000], 4000))
    .addOption(range('--timeout <seconds>', 'time for an answer', [1, 280], 120))
    .option('--prompt <file>', 'prompt file (default: prompts/creator-analysis.txt of the program)')
    .option('--include-inferred', 'let the model infer personal members that the data does not state')
    .option('--retry-rejected', 'pay again for creators whose answers were rejected')
    .option('--json', 'machine-readable result')
    .action(async (options: AnalysisOptions, command: Command) => {
      const settings = readEnrichSettings(process.env);
      const selection = readSelection(options);
      const limits = readLimits(options, settings);
      const prompt = await readPrompt(options.prompt ?? PROMPT_PATH);
      await run(
        command,
        async (context) => {
          await requireKnown(context, selection);
          return options.dryRun
            ? printEstimate(context, { options, settings, selection, prompt })
            : runAnalysis(context, { options, settings, selection, prompt, limits });
        },
        'existing',
      );
    });
  addExamples(
    command,
    'enrich analysis --platform live_platform --dry-run',
    'enrich analysis --platform live_platform --max-cost 2.50',
    'enrich analysis --platform live_platform --id 10001 --max-cost 0.05',
    'enrich analysis --older-than 90d --max-cost 10 --concurrency 16',
  );
}

/** @throws OperatorError if the options contradict each other */
function readSelection({ platform, id, known, olderThan }: AnalysisOptions): Selection {
  if (id !== undefined && platform === undefined) {
    throw new OperatorError('invalid_arguments', '--id needs --platform: IDs belong to a platform');
  }
  if (known && (id !== undefined || olderThan !== undefined)) {
    throw new OperatorError('invalid_arguments', '--known selects all creators: leave out --id and --older-than');
  }
  return {
    platforms: platform === undefined ? PLATFORMS : [platform],
    ids: id ?? null,
    includesAnalysed: known === true,
    olderThan: olderThan === undefined ? null : Date.now() - olderThan,
  };
}

/** @throws OperatorError if a named creator is not stored */
async function requireKnown({ database }: CommandContext, { platforms, ids }: Selection): Promise<void> {
  const [platform] = platforms;
  if (ids === null || platform === undefined) return;
  const [unknown] = await new CreatorReader(database).findUnknown(platform, ids);
  if (unknown === undefined) return;
  throw new OperatorError('not_found', `no profile ${unknown} of ${platform} is stored: check --id and --platform`);
}

/** @throws OperatorError if the run has no limit */
function readLimits({ maxCost, maxTokens, dryRun }: AnalysisOptions, { prices }: EnrichSettings): Limits {
  if (maxCost !== undefined && prices === null) {
    throw new OperatorError(
      'invalid_arguments',
      '--max-cost needs prices: set ENRICH_INPUT_PRICE and ENRICH_OUTPUT_PRICE, or give --max-tokens',
    );
  }
  if (maxCost === undefined && maxTokens === undefined && !dryRun) {
    const wanted = prices === null ? '--max-tokens N' : '--max-cost N';
    throw new OperatorError('invalid_arguments', `give ${wanted}, the most that the run may spend, or --dry-run`);
  }
  return { cost: maxCost ?? null, tokens: maxTokens ?? null };
}

interface Inputs {
  readonly options: AnalysisOptions;
  readonly settings: EnrichSettings;
  readonly selection: Selection;
  readonly prompt: Prompt;
}

const inputOptions = ({ options, settings, prompt }: Inputs) => ({
  model: settings.model,
  promptVersion: prompt.version,
  mayInfer: options.includeInferred === true,
  maxInput: options.inputTokens,
});

async function printEstimate({ database, output }: CommandContext, inputs: Inputs): Promise<number> {
  const { options, settings, selection, prompt } = inputs;
  const signal = stopSignal();
  const made = inputOptions(inputs);
  const bar = new ProgressBar('enrich', null, output, 'read');
  const result = await estimate(readCandidates(database, selection, made), {
    prompt,
    model: settings.model,
    mayInfer: made.mayInfer,
    maxOutput: options.outputTokens,
    retriesRejected: options.retryRejected === true,
    prices: settings.prices,
    percent: options.batch ? BATCH_PERCENT : 100,
    signal,
    progress: (loaded) => bar.update({ lines: loaded, loaded, rejected: 0 }, 0),
  });
  if (signal.aborted) {
    output.printMessage('Stopped.');
    return FAILED;
  }
  const maxCost = options.maxCost === undefined ? null : costNumber(options.maxCost);
  output.printResult({ dry_run: true, model: settings.model, ...result }, formatEstimate(result, maxCost));
  return DONE;
}

async function runAnalysis(context: CommandContext, inputs: Inputs & { readonly limits: Limits }): Promise<number> {
  const { database, output, audit } = context;
  const { options, settings, selection, prompt, limits } = inputs;
  const stopped = stopSignal();
  const failed = new AbortController();
  const signal = AbortSignal.any([stopped, failed.signal]);
  // Each call in flight listens.
  setMaxListeners(0, signal);
  await database.limitWriteMemory();
  const ledger = await Ledger.open(database, { model: settings.model, prices: settings.prices, limits });
  const target = { model: settings.model, host: settings.host, platform: options.platform ?? 'all' };
  const bar = new ProgressBar('enrich', null, output, 'made');
  let isComplete = false;
  try {
    await audit.start(target);
    if (ledger.isResumed)
      output.printMessage('Continues a run that did not end: what it spent counts against the limit.');
    if (ledger.batches.length > 0 && !options.batch) {
      throw new OperatorError('invalid_arguments', 'a batch of the run that did not end is open: add --batch');
    }
    const endpoint = new ChatEndpoint(settings, options.timeout * 1000);
    const model = new ModelClient({
      endpoint,
      ledger,
      host: settings.host,
      model: settings.model,
      maxOutput: options.outputTokens,
      signal,
    });
    const enricher = new Enricher({
      model,
      ledger,
      prompt,
      origin: { model: settings.model, host: settings.host, promptVersion: prompt.version },
      mayInfer: options.includeInferred === true,
      retriesRejected: options.retryRejected === true,
      hasPrices: settings.prices !== null,
    });
    const candidates = readCandidates(database, selection, inputOptions(inputs));
    const result = options.batch
      ? await createBatchRun(context, inputs, { endpoint, ledger, enricher, signal }).run(candidates)
      : await processAll(candidates, {
          concurrency: options.concurrency,
          signal,
          abort: () => failed.abort(),
          process: (candidate) => enricher.process(candidate),
          progress: ({ made = 0, rejected = 0 }) => bar.update({ lines: made + rejected, loaded: made, rejected }, 0),
        });
    isComplete = result.end !== 'stopped';
    const report = createReport(result, ledger.spent, settings, enricher.reasons);
    await audit.end({ ...target, ...result.counts }, auditOutcome(result));
    return printReport(context, report, result, bar.seconds);
  } finally {
    bar.stop();
    await ledger.close(isComplete);
  }
}

function createBatchRun(
  { database, output }: CommandContext,
  { options, settings }: Inputs,
  { endpoint, ...run }: Pick<BatchRunOptions, 'ledger' | 'enricher' | 'signal'> & { readonly endpoint: ChatEndpoint },
): BatchRun {
  const { signal } = run;
  const wait = (ms: number) => delay(ms, undefined, { signal }).catch(() => undefined);
  return new BatchRun({
    ...run,
    database,
    api: new BatchApi(endpoint, settings.host, (attempt) => wait(retryDelayMs(attempt, Math.random()))),
    model: settings.model,
    maxOutput: options.outputTokens,
    poll: () => wait(options.poll * 1000),
    print: (line) => output.printMessage(line),
  });
}

const hasRejects = ({ counts }: RunResult): boolean => (counts.rejected ?? 0) + (counts.failed ?? 0) > 0;

const auditOutcome = (result: RunResult) =>
  result.end === 'stopped' ? 'stopped' : hasRejects(result) ? 'rejected' : 'done';

function printReport({ output }: CommandContext, report: RunReport, result: RunResult, seconds: number): number {
  if (result.end === 'stopped') {
    output.printMessage('Stopped. Run the same command again to continue from there.');
    return FAILED;
  }
  output.printResult({ ...report, seconds }, formatRun(report, seconds));
  return hasRejects(result) ? SOMETHING_REJECTED : DONE;
}
