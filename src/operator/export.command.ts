import { Argument, Option, type Command } from 'commander';
import type { Database } from '../database/database.js';
import { PLATFORMS, type Platform } from '../model/platforms.js';
import { parsePlatform } from './arguments.js';
import type { CommandContext, CommandRunner } from './command.js';
import { countOf } from '../model/counts.js';
import { EXPORT_SOURCES } from './export/export-sources.js';
import { writeExport, type ExportPart } from './export/write-export.js';
import { addExamples } from './help.js';
import { IMPORT_KINDS, type ImportKind } from './import/parse-line.js';
import { OperatorError } from './operator-error.js';
import { DONE } from './output.js';
import { ProgressBar } from './progress-bar.js';
import { stopSignal } from './stop-signal.js';

interface ExportCommandOptions {
  readonly out: string;
  readonly platform?: Platform;
}

export function addExportCommand(program: Command, run: CommandRunner): void {
  const command = program
    .command('export')
    .description('Writes the stored records to a new folder, which "import FOLDER" loads into another database')
    .addArgument(new Argument('[kind...]', 'kinds to export (default: all)').choices(IMPORT_KINDS))
    .requiredOption('--out <folder>', 'folder to create; nothing is overwritten')
    .addOption(
      new Option('--platform <platform>', 'only records of this platform').choices(PLATFORMS).argParser(parsePlatform),
    )
    .option('--json', 'machine-readable result')
    .action((kinds: ImportKind[], options: ExportCommandOptions, command: Command) =>
      run(command, (context) => runExport(context, kinds, options), 'existing'),
    );
  addExamples(
    command,
    'export --out exports/2026-01-31',
    'export profiles emails --platform live_platform --out exports/live',
  );
}

async function runExport(
  { database, output, audit }: CommandContext,
  kinds: readonly ImportKind[],
  { out, platform }: ExportCommandOptions,
): Promise<number> {
  const parts = listParts(kinds, platform);
  const signal = stopSignal();
  const target = { kinds: kinds.length === 0 ? 'all' : [...new Set(kinds)], platform: platform ?? 'all' };
  // An export copies personal data, so it is audited although it changes nothing.
  await audit.start(target);
  const bar = new ProgressBar('export', await countRecords(database, parts, signal), output, 'written');
  try {
    const manifest = await writeExport(database, out, parts, {
      signal,
      progress: (records) => bar.update({ lines: records, loaded: records, rejected: 0 }, records),
    });
    bar.stop();
    const records = manifest.files.reduce((total, file) => total + file.records, 0);
    await audit.end({ ...target, files: manifest.files.length, records }, 'done');
    output.printResult(
      { folder: out, ...manifest },
      `Wrote ${out}: ${countOf(records, 'record')} in ${countOf(manifest.files.length, 'file')}. ` +
        'It holds personal data: delete it when it is no longer needed.',
    );
    return DONE;
  } catch (error) {
    if (signal.aborted) await audit.end(target, 'stopped');
    throw error;
  } finally {
    bar.stop();
  }
}

/** Lists the files to write. @throws OperatorError if a named kind belongs to no platform, but one is named */
function listParts(kinds: readonly ImportKind[], platform?: Platform): ExportPart[] {
  const sources = EXPORT_SOURCES.filter(({ kind }) => kinds.length === 0 || kinds.includes(kind));
  const parts = sources.flatMap((source) =>
    source.platforms
      .filter((each) => platform === undefined || each === platform)
      .map((each) => ({ source, platform: each })),
  );
  const missing = kinds.find((kind) => !parts.some(({ source }) => source.kind === kind));
  if (missing === undefined) return parts;
  throw new OperatorError('invalid_arguments', `${missing} belong to no platform: export them without --platform`);
}

async function countRecords(database: Database, parts: readonly ExportPart[], signal: AbortSignal): Promise<number> {
  let count = 0;
  for (const { source, platform } of parts) {
    if (!signal.aborted) count += await source.count(database, platform);
  }
  return count;
}
