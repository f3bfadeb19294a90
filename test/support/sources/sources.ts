import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import type { Database } from '../../../src/database/database.js';
import { ingest } from '../../../src/operator/ingest/ingest.js';
import { prepareInputs } from '../../../src/operator/input-files.js';
import { Output } from '../../../src/operator/output.js';
import { SourceRun } from '../../../src/operator/sources/source-run.js';
import { writeImportFiles } from '../../../src/operator/sources/write-import-files.js';
import type { Mapper } from '../../../src/sources/fragment.js';
import type { SourcesReport } from '../../../src/sources/report.js';
import type { RejectedDocument } from '../../../src/sources/source-reader.js';
import { OTHER_SOURCE, PLAIN_SOURCE } from './plain-source.js';

/** Result of a run. */
export interface Run {
  readonly report: SourcesReport;
  readonly rejected: readonly (RejectedDocument & { readonly file?: string })[];
}

/** Contents of the output files, by name. */
export interface Normalized extends Run {
  readonly files: Readonly<Record<string, string>>;
  /** Returns the records of a kind. */
  readonly of: (kind: string) => readonly Record<string, unknown>[];
}

export interface RunOptions {
  readonly source?: string;
  readonly strict?: boolean;
  readonly mappers?: readonly Mapper[];
}

/** Contents of the input files, by name. */
type Inputs = Readonly<Record<string, string | Buffer>>;

const aFolder = () => mkdtempSync(join(tmpdir(), 'creator-data-sources-'));

async function gathered<T>(
  inputs: Inputs,
  { source = 'plain', strict = false, mappers = [PLAIN_SOURCE, OTHER_SOURCE] }: RunOptions,
  work: (gathering: SourceRun, folder: string) => Promise<T>,
): Promise<{ run: Run; result: T }> {
  const folder = aFolder();
  const files = Object.entries(inputs).map(([name, content]) => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  });
  const rejects = join(folder, 'rejects');
  const signal = new AbortController().signal;
  const gathering = await SourceRun.start({
    mappers,
    source,
    inputs: await prepareInputs(files, { rejects, maxRejects: 100 }),
    strict,
    signal,
    output: new Output(true),
  });
  try {
    const result = await work(gathering, folder);
    const { report } = gathering.tally;
    const rejected =
      report.rejected === 0
        ? []
        : readFileSync(rejects, 'utf8')
            .trimEnd()
            .split('\n')
            .map((line) => JSON.parse(line));
    return { run: { report, rejected }, result };
  } finally {
    await gathering.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Normalises files with these contents. */
export async function normalize(inputs: Inputs, options: RunOptions = {}): Promise<Normalized> {
  const { run, result } = await gathered(inputs, options, async (gathering, folder) => {
    const out = join(folder, 'out');
    await writeImportFiles(gathering, out, new AbortController().signal);
    return Object.fromEntries(readdirSync(out).map((name) => [name, readFileSync(join(out, name), 'utf8')]));
  });
  const of = (kind: string) =>
    (result[`${kind}.ndjson`] ?? '')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));
  return { ...run, files: result, of };
}

/** Ingests files with these contents. */
export async function ingestInto(
  database: Database,
  inputs: Inputs,
  options: RunOptions & { readonly now?: number } = {},
): Promise<Run> {
  const { now = Date.now() } = options;
  const { run } = await gathered(inputs, options, (gathering) =>
    ingest(database, gathering, { now, signal: new AbortController().signal }),
  );
  return run;
}

/** Formats documents as NDJSON. */
export const toNdjson = (...documents: readonly unknown[]): string =>
  documents.map((document) => `${JSON.stringify(document)}\n`).join('');
