import type { Command } from 'commander';
import { sourceName, SOURCES } from './arguments.js';
import type { RunWith } from './command.js';
import { ingest } from './ingest/ingest.js';
import { inputsOf, maxRejectsOption, rejectsOption, requireFiles, type RejectsOptions } from './inputs.js';
import { DONE, FAILED, SOMETHING_REJECTED } from './output.js';
import { Gathering } from './sources/gathering.js';
import { mappersOf, mappingOption } from './sources/mappers-of.js';
import { reportText } from './sources/report-text.js';
import { stopSignal } from './stop-signal.js';
import { withExamples } from './help.js';

interface Options extends RejectsOptions {
  readonly mapping?: string;
  readonly strict?: true;
}

export function addIngestCommand(program: Command, run: RunWith): void {
  const command = program
    .command('ingest')
    .description('Loads native data of the platforms and of well-known tools, merged with the stored records')
    .argument('<source>', SOURCES.join(', '), sourceName)
    .argument('<file...>', 'files to read; - is standard input, .gz is decompressed')
    .addOption(mappingOption())
    .option('--strict', 'stop at the first bad document, before anything is stored')
    .addOption(rejectsOption('documents'))
    .addOption(maxRejectsOption('documents'))
    .option('--json', 'machine-readable report')
    .action((source: string, files: string[], options: Options, command: Command) =>
      run(command, async ({ database, output }) => {
        const startedAt = Date.now();
        const signal = stopSignal();
        await requireFiles(files);
        const mappers = await mappersOf(source, options.mapping);
        const inputs = await inputsOf(files, options);
        const strict = options.strict === true;
        const sourceRun = await Gathering.of({ mappers, source, inputs, strict, signal, output });
        try {
          if (!signal.aborted) await ingest(database, sourceRun, { now: startedAt, signal });
          if (signal.aborted) {
            output.say('Stopped. Every loaded batch is complete; run the same command again to load the rest.');
            return FAILED;
          }
          const { report } = sourceRun.tally;
          const seconds = (Date.now() - startedAt) / 1000;
          output.result({ source, files, ...report, seconds }, reportText(report, seconds, 'loaded', options));
          return report.rejected > 0 ? SOMETHING_REJECTED : DONE;
        } finally {
          await sourceRun.close();
        }
      }),
    );
  withExamples(command, 'ingest auto responses.ndjson', 'ingest youtube videos.json --strict');
}
