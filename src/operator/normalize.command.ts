import type { Command } from 'commander';
import { sourceName, SOURCES } from './arguments.js';
import {
  inputsOf,
  maxRejectsOption,
  rejectsOption,
  requireFiles,
  requireOutputs,
  type RejectsOptions,
} from './inputs.js';
import { DONE, FAILED, SOMETHING_REJECTED } from './output.js';
import type { RunWith } from './command.js';
import { stopSignal } from './stop-signal.js';
import { Gathering } from './sources/gathering.js';
import { mappersOf, mappingOption } from './sources/mappers-of.js';
import { reportText } from './sources/report-text.js';
import { outputsIn, writeFiles } from './sources/write-files.js';
import { withExamples } from './help.js';

interface Options extends RejectsOptions {
  readonly out: string;
  readonly mapping?: string;
  readonly strict?: true;
}

export function addNormalizeCommand(program: Command, run: RunWith): void {
  const command = program
    .command('normalize')
    .description('Converts native data of the platforms and of well-known tools to NDJSON files for import')
    .argument('<source>', SOURCES.join(', '), sourceName)
    .argument('<file...>', 'files to read; - is standard input, .gz is decompressed')
    .requiredOption('--out <folder>', 'folder for profiles.ndjson, content.ndjson, games.ndjson and socials.ndjson')
    .addOption(mappingOption())
    .option('--strict', 'stop at the first bad document')
    .addOption(rejectsOption('documents'))
    .addOption(maxRejectsOption('documents'))
    .option('--json', 'machine-readable report')
    .action((source: string, files: string[], options: Options, command: Command) =>
      run.alone(command, async ({ output }) => {
        const startedAt = Date.now();
        const signal = stopSignal();
        await requireFiles(files);
        const mappers = await mappersOf(source, options.mapping);
        await requireOutputs(outputsIn(options.out), files, options);
        const inputs = await inputsOf(files, options);
        const strict = options.strict === true;
        const sourceRun = await Gathering.of({ mappers, source, inputs, strict, signal, output });
        try {
          const written = await writeFiles(sourceRun, options.out, signal);
          if (signal.aborted) {
            output.say('Stopped. Unfinished files were removed; run the same command again to write all of them.');
            return FAILED;
          }
          const { report } = sourceRun.tally;
          const seconds = (Date.now() - startedAt) / 1000;
          output.result(
            { source, files, ...report, written, seconds },
            reportText(report, seconds, `written to ${options.out}`, options),
          );
          return report.rejected > 0 ? SOMETHING_REJECTED : DONE;
        } finally {
          await sourceRun.close();
        }
      }),
    );
  withExamples(
    command,
    'normalize auto responses.ndjson --out canonical',
    'normalize csv accounts.csv --mapping docs/mappings/instagram-accounts.json --out canonical',
    'normalize twitch users.json followers.ndjson.gz --out canonical',
  );
}
