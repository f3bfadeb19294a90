import type { Command } from 'commander';
import { CSV_SOURCE } from '../sources/csv/csv.js';
import { parseSourceName, SOURCE_NAMES } from './arguments.js';
import {
  listRejectsFiles,
  prepareInputs,
  maxRejectsOption,
  rejectsOption,
  requireReadableFiles,
  type RejectsOptions,
} from './input-files.js';
import { protectDatabase, protectFile, protectInputs, renamedOutput, requireNoOverwrite } from './overwrite-guard.js';
import { DONE, FAILED, SOMETHING_REJECTED } from './output.js';
import { readConfig, type DatabaseLocation } from '../model/config.js';
import type { CommandRunner, StandaloneContext } from './command.js';
import { stopSignal } from './stop-signal.js';
import { SourceRun } from './sources/source-run.js';
import { selectMappers, mappingOption, setOption } from './sources/select-mappers.js';
import { formatReport } from './sources/report-text.js';
import { listOutputFiles, requireNoImportFiles, writeImportFiles } from './sources/write-import-files.js';
import { addExamples } from './help.js';

interface NormalizeOptions extends RejectsOptions {
  readonly out: string;
  readonly overwrite?: true;
  readonly mapping?: string;
  readonly set?: Readonly<Record<string, string>>;
  readonly strict?: true;
}

export function addNormalizeCommand(program: Command, run: CommandRunner): void {
  const command = program
    .command('normalize')
    .description('Converts native data of the platforms and of well-known tools to NDJSON files for import')
    .argument('<source>', SOURCE_NAMES.join(', '), parseSourceName)
    .argument('<file...>', 'files to read; - is standard input, .gz is decompressed')
    .requiredOption('--out <folder>', 'folder for profiles.ndjson, content.ndjson, games.ndjson and socials.ndjson')
    .option(
      '--overwrite',
      'replace these files in the folder, and remove those that this run does not write: a folder holds the result of one run',
    )
    .addOption(mappingOption())
    .addOption(setOption())
    .option('--strict', 'stop at the first bad document')
    .addOption(rejectsOption('documents'))
    .addOption(maxRejectsOption('documents'))
    .option('--json', 'machine-readable report')
    .action((source: string, files: string[], options: NormalizeOptions, command: Command) =>
      run.withoutDatabase(command, async ({ environment, output }) => {
        const startedAt = Date.now();
        const signal = stopSignal();
        await requireReadableFiles(files);
        const mappers = await selectMappers(source, options.mapping, options.set);
        const outputs = listOutputFiles(options.out).flatMap((path) => renamedOutput(path, '--out'));
        await requireNoOverwrite(
          [...outputs, ...listRejectsFiles(files, options)],
          [
            ...(await protectDatabase(configuredDatabase(environment))),
            ...protectFile(options.mapping, 'the mapping'),
            ...protectInputs(files),
          ],
        );
        if (options.overwrite !== true) await requireNoImportFiles(options.out);
        const inputs = await prepareInputs(files, options);
        const strict = options.strict === true;
        const sourceRun = await SourceRun.start({ mappers, source, inputs, strict, signal, output });
        try {
          const written = await writeImportFiles(sourceRun, options.out, signal);
          if (written === null) {
            output.printMessage('Stopped. No import file was written; run the same command again.');
            return FAILED;
          }
          const { report } = sourceRun.tally;
          const seconds = (Date.now() - startedAt) / 1000;
          output.printResult(
            { source, files, ...report, written, seconds },
            formatReport(report, sourceRun.reasons.mostFrequent(), seconds, `written to ${options.out}`, {
              ...options,
              isTable: source === CSV_SOURCE,
            }),
          );
          return report.rejected > 0 ? SOMETHING_REJECTED : DONE;
        } finally {
          await sourceRun.close();
        }
      }),
    );
  addExamples(
    command,
    'normalize auto responses.ndjson --out canonical',
    'normalize csv accounts.csv --mapping instagram-accounts --out canonical',
    'normalize twitch users.json followers.ndjson.gz --out canonical',
  );
}

/** Returns the database in the settings, to protect its files; null if that setting is invalid, which does not matter here. */
function configuredDatabase({ DATABASE_URL }: StandaloneContext['environment']): DatabaseLocation | null {
  try {
    return readConfig({ DATABASE_URL }).database;
  } catch {
    return null;
  }
}
