import { runInProcess, type CommandOutcome } from '../service/command.js';
import type { TestService } from '../service/test-service.js';

/** Runs a command in this process with settings, which are removed afterwards. */
export async function runWithSettings(
  { testDatabase }: TestService,
  settings: Readonly<Record<string, string>>,
  ...args: readonly string[]
): Promise<CommandOutcome> {
  const before = Object.fromEntries(Object.keys(settings).map((name) => [name, process.env[name]]));
  Object.assign(process.env, settings);
  try {
    return await runInProcess(testDatabase, ...args);
  } finally {
    for (const [name, value] of Object.entries(before)) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  }
}

/** Result of `enrich analysis --json` with its exit status. */
export interface EnrichOutcome extends CommandOutcome {
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests say what they expect of each member
  readonly report: any;
}

/** Runs `enrich analysis --json` for live_platform with a limit that no test reaches, unless the arguments have another. */
export async function enrichAnalysis(
  service: TestService,
  settings: Readonly<Record<string, string>>,
  ...args: readonly string[]
): Promise<EnrichOutcome> {
  const limit = args.some((arg) => ['--max-cost', '--max-tokens', '--dry-run'].includes(arg))
    ? []
    : ['--max-cost', '1000'];
  const outcome = await runWithSettings(
    service,
    settings,
    'enrich',
    'analysis',
    '--platform',
    'live_platform',
    ...limit,
    ...args,
    '--json',
  );
  return { ...outcome, report: outcome.out === '' ? null : JSON.parse(outcome.out) };
}
