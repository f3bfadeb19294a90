import { runInProcess, type CommandOutcome } from '../service/command.js';
import type { TestDatabase } from '../stores/test-database.js';

/** Runs a command with the settings of test servers. */
export async function runWithSettings(
  database: Pick<TestDatabase, 'url' | 'folder'>,
  settings: Readonly<Record<string, string>>,
  ...args: readonly string[]
): Promise<CommandOutcome> {
  const before = Object.keys(settings).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, settings);
  try {
    return await runInProcess(database, ...args);
  } finally {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  }
}
