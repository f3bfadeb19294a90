import type { Command } from 'commander';
import { ConfigError, type Config } from '../model/config.js';
import { describeMisspeltSettings } from '../model/misspelt-settings.js';
import type { CommandRunner } from './command.js';
import { bad, good, warning, type Check } from './doctor/check.js';
import { checkBackup } from './doctor/check-backup.js';
import { checkCollect } from './doctor/check-collect.js';
import { checkDatabase } from './doctor/check-database.js';
import { checkEnriching } from './doctor/check-enriching.js';
import { checkDisk, checkNode } from './doctor/check-machine.js';
import { checkRedis } from './doctor/check-redis.js';
import { checkSearch } from './doctor/check-search.js';
import { addExamples } from './help.js';
import { DONE, FAILED } from './output.js';
import { colours } from './terminal.js';

export function addDoctorCommand(program: Command, run: CommandRunner): void {
  const command = program
    .command('doctor')
    .description(
      'Checks settings, database, schema, keys, rights, Redis, clocks, disk, search index, backup, collecting and enriching; changes nothing',
    )
    .option('--backup <path>', 'a backup or a folder of backups, whose age is checked')
    .option('--json', 'machine-readable result')
    .action(({ backup }: { readonly backup?: string }, command: Command) =>
      run.withoutDatabase(command, async ({ config, environment, output }) => {
        const checks = await runChecks(config, backup, environment);
        const ok = checks.every(({ state }) => state !== 'bad');
        output.printResult({ ok, checks }, checks.map(formatCheck));
        return ok ? DONE : FAILED;
      }),
    );
  addExamples(command, 'doctor', 'doctor --backup /var/backups/creator-data', 'doctor --json');
}

type Environment = Readonly<Record<string, string | undefined>>;

async function runChecks(
  readConfig: () => Config,
  backup: string | undefined,
  environment: Environment,
): Promise<Check[]> {
  const misspelt = describeMisspeltSettings(environment);
  let config: Config;
  try {
    config = readConfig();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return [checkNode(), bad('settings', [error.message, ...misspelt].join('; '))];
  }
  return [
    checkNode(),
    misspelt.length === 0 ? good('settings', 'all valid') : warning('settings', misspelt.join('; ')),
    ...(await checkDatabase(config.database)),
    ...(await checkRedis(config)),
    checkDisk(config),
    await checkSearch(config),
    checkBackup(backup),
    checkCollect(environment),
    await checkEnriching(environment),
  ];
}

function formatCheck({ name, state, message }: Check): string {
  const { green, yellow, red } = colours(process.stdout);
  const mark = { good: green('ok     '), warning: yellow('warning'), bad: red('bad    ') }[state];
  return `${mark}  ${name.padEnd(9)} ${message}`;
}
