import { existsSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { readConfig, type DatabaseLocation } from '../model/config.js';
import { openCurrentDatabase, openDatabase } from '../schema/open-database.js';
import type { DatabaseRequirement, CommandRunner } from './command.js';
import { Audit } from './audit/audit.js';
import { addAuditCommand } from './audit.command.js';
import { addCollectCommand } from './collect.command.js';
import { addCompletionCommand } from './completion.command.js';
import { addDoctorCommand } from './doctor.command.js';
import { explainError } from './explain-error.js';
import { addEnrichCommand } from './enrich/enrich.command.js';
import { addExportCommand } from './export.command.js';
import { addForgetCommand } from './forget.command.js';
import { commandName, findCommand, fullName, addExamples } from './help.js';
import { addImportCommand } from './import.command.js';
import { addIngestCommand } from './ingest.command.js';
import { addKeysCommand } from './keys.command.js';
import { addMcpCommand } from './mcp.command.js';
import { addMigrateCommand } from './migrate.command.js';
import { addNormalizeCommand } from './normalize.command.js';
import { OperatorError } from './operator-error.js';
import { DONE, FAILED, Output } from './output.js';
import { addPurgeCommand } from './purge.command.js';
import { addReindexCommand } from './reindex.command.js';
import { addRestoredCommand } from './restored.command.js';
import { colours, printLines } from './terminal.js';
import { addUsageCommand } from './usage/usage.command.js';
import { version } from '../model/version.js';

const COMMANDS = [
  addMigrateCommand,
  addImportCommand,
  addExportCommand,
  addNormalizeCommand,
  addIngestCommand,
  addCollectCommand,
  addEnrichCommand,
  addKeysCommand,
  addUsageCommand,
  addReindexCommand,
  addForgetCommand,
  addPurgeCommand,
  addRestoredCommand,
  addAuditCommand,
  addDoctorCommand,
  addMcpCommand,
];

/** Runs a command. @returns the exit status: 0 done, 1 failed, 2 done but something was rejected */
export async function runCommand(argv: readonly string[]): Promise<number> {
  let status = DONE;
  let location: DatabaseLocation | null = null;
  const args = argv.slice(2);
  const output = new Output(args.includes('--json'));
  const config = () => readConfig(process.env);
  const standalone: Pick<CommandRunner, 'withoutDatabase' | 'config'> = {
    config,
    withoutDatabase: async (_command, work) => {
      status = await work({ environment: process.env, config, output });
    },
  };
  const run: CommandRunner = Object.assign(async (...[command, work, need = 'current']: Parameters<CommandRunner>) => {
    const settings = config();
    location = settings.database;
    const missing = missingFile(location);
    const database = await open(location, need);
    if (missing !== null) output.printMessage(`Created the database ${missing}.`);
    const audit = new Audit(database, commandName(command));
    try {
      status = await work({ database, location, dataFolder: settings.dataFolder, output, audit });
    } catch (error) {
      await audit.fail().catch(() => output.printMessage('The audit log has no entry about the end of this command.'));
      throw error;
    } finally {
      await database.close();
    }
  }, standalone);
  const program = newProgram();
  for (const add of COMMANDS) add(program, run);
  addCompletionCommand(program);
  try {
    await program.parseAsync([...argv]);
    return status;
  } catch (error) {
    if (error instanceof CommanderError) {
      if (error.exitCode === 0) return DONE;
      // Without a command, commander has printed the help.
      if (error.code === 'commander.help') return FAILED;
    }
    const explained = explainError(error, location);
    output.printError(
      error instanceof CommanderError ? withHelpHint(explained, findCommand(program, args)) : explained,
    );
    return FAILED;
  }
}

function newProgram(): Command {
  const program = new Command('creator-data')
    .description(
      'Operates the creator data lookup service: schema, data, keys, usage and bills. DATABASE_URL names the database.',
    )
    .version(version(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command')
    .configureHelp({
      styleTitle: (text) => colours(process.stdout).bold(text),
      styleCommandText: (text) => colours(process.stdout).cyan(text),
      styleOptionText: (text) => colours(process.stdout).cyan(text),
    })
    // `runCommand` prints errors as one line.
    .configureOutput({
      writeOut: (text) => printLines(process.stdout, text.replace(/\n$/, '').split('\n')),
      outputError: () => undefined,
    })
    .exitOverride()
    .hook('preAction', (_, command) => requirePaths(command));
  return addExamples(
    program,
    'import profiles profiles.ndjson.gz',
    'keys create --name "First customer"',
    'usage summary --from 2026-01-01 --to 2026-01-31 --by key',
    'help usage export',
  );
}

/** Rejects an empty path, which a script passes when its variable is not set: it would name the current folder.
 * @throws OperatorError */
function requirePaths(command: Command): void {
  const values: Readonly<Record<string, unknown>> = command.opts();
  for (const option of command.options) {
    const [, kind] = /<(folder|file)>/.exec(option.flags) ?? [];
    if (kind !== undefined && values[option.attributeName()] === '') {
      throw new OperatorError('invalid_arguments', `${option.long} must name a ${kind}`);
    }
  }
}

async function open(location: DatabaseLocation, need: DatabaseRequirement): ReturnType<typeof openDatabase> {
  if (need === 'existing') requireExisting(location);
  if (need === 'current' || need === 'existing') return openCurrentDatabase(location);
  if (need === 'without-usage' && location.dialect !== 'sqlite')
    throw new OperatorError(
      'invalid_arguments',
      '--create-usage-file is for the embedded database, which has a usage file',
    );
  return openDatabase(location, { createUsageFile: need === 'without-usage' });
}

/** SQLite creates a missing file, so a typo in the path would become an empty database. */
function requireExisting(location: DatabaseLocation): void {
  const missing = missingFile(location);
  if (missing === null) return;
  throw new OperatorError(
    'not_found',
    `there is no database ${missing}: correct DATABASE_URL, or create it with "creator-data migrate"`,
  );
}

/** Returns the path of an embedded database that does not exist yet. */
const missingFile = (location: DatabaseLocation): string | null =>
  location.dialect === 'sqlite' && !existsSync(location.path) ? location.path : null;

const withHelpHint = <E extends { readonly message: string }>(explained: E, command: Command): E => ({
  ...explained,
  message: `${explained.message.replace(/\.$/, '')}; see "${fullName(command)} --help"`,
});
