import type { Command } from 'commander';
import { parseSourceName, SOURCE_NAMES } from './arguments.js';
import type { CommandRunner } from './command.js';
import { ingest } from './ingest/ingest.js';
import {
  listRejectsFiles,
  prepareInputs,
  maxRejectsOption,
  rejectsOption,
  requireReadableFiles,
  type RejectsOptions,
} from './input-files.js';
import { protectDatabase, protectFile, protectInputs, requireNoOverwrite } from './overwrite-guard.js';
import { DONE, FAILED, SOMETHING_REJECTED } from './output.js';
import { SourceRun } from './sources/source-run.js';
import { selectMappers, mappingOption, setOption } from './sources/select-mappers.js';
import { formatReport } from './sources/report-text.js';
import { stopSignal } from './stop-signal.js';
import { addExamples } from './help.js';

interface IngestOptions extends RejectsOptions {
  readonly mapping?: string;
  readonly set?: Readonly<Record<string, string>>;
  readonly strict?: true;
}

export function addIngestCommand(program: Command, run: CommandRunner): void {
  const command = program
    .command('ingest')
    .description('Loads native data of the platforms and of well-known tools, merged with the stored records')
    .argument('<source>', SOURCE_NAMES.join(', '), parseSourceName)
    .argument('<file...>', 'files to read; - is standard input, .gz is decompressed')
    .addOption(mappingOption())
    .addOption(setOption())
    .option('--strict', 'stop at the first bad document, before anything is stored')
    .addOption(rejectsOption('documents'))
    .addOption(maxRejectsOption('documents'))
    .option('--json', 'machine-readable report')
    .action(async (source: string, files: string[], options: IngestOptions, command: Command) => {
      await requireReadableFiles(files);
      const mappers = await selectMappers(source, options.mapping, options.set);
      await requireNoOverwrite(listRejectsFiles(files, options), [
        ...(await protectDatabase(run.config().database)),
        ...protectFile(options.mapping, 'the mapping'),
        ...protectInputs(files),
      ]);
      await run(command, async ({ database, output, audit }) => {
        const startedAt = Date.now();
        const signal = stopSignal();
        const inputs = await prepareInputs(files, options);
        const strict = options.strict === true;
        const sourceRun = await SourceRun.start({ mappers, source, inputs, strict, signal, output });
        try {
          await audit.start({ source, files: files.length });
          if (!signal.aborted) await ingest(database, sourceRun, { now: startedAt, signal });
          const { report } = sourceRun.tally;
          const outcome = signal.aborted ? 'stopped' : report.rejected > 0 ? 'rejected' : 'done';
          await audit.end({ source, files: files.length, ...report.records, rejected: report.rejected }, outcome);
          if (signal.aborted) {
            output.printMessage(
              'Stopped. Every loaded batch is complete; run the same command again to load the rest.',
            );
            return FAILED;
          }
          const seconds = (Date.now() - startedAt) / 1000;
          output.printResult({ source, files, ...report, seconds }, formatReport(report, seconds, 'loaded', options));
          return report.rejected > 0 ? SOMETHING_REJECTED : DONE;
        } finally {
          await sourceRun.close();
        }
      });
    });
  addExamples(command, 'ingest auto responses.ndjson', 'ingest youtube videos.json --strict');
}
