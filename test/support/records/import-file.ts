import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { importLines, type ImportOutcome } from '../../../src/operator/import/importer.js';
import type { RejectedLine } from '../../../src/operator/import/batches.js';
import { LineReader } from '../../../src/operator/import/line-reader.js';
import type { Database } from '../../../src/database/database.js';
import type { ImportKind } from '../../../src/operator/import/parse-line.js';
import type { TestService } from '../service/test-service.js';

/** Result of an import of a file. */
export interface Imported {
  readonly outcome: ImportOutcome;
  readonly rejected: readonly RejectedLine[];
}

/** Imports a file with exactly these bytes, optionally compressed. */
export function importFile(
  service: TestService,
  kind: ImportKind,
  content: string | Buffer,
  { gz = false, strict = false } = {},
): Promise<Imported> {
  const file = `${randomUUID()}.ndjson${gz ? '.gz' : ''}`;
  return load(
    service.database,
    kind,
    join(service.testDatabase.folder, file),
    gz ? gzipSync(content) : content,
    strict,
  );
}

/** Imports lines into a database. @param folder for the file that holds them */
export function loadText(database: Database, kind: ImportKind, content: string, folder: string): Promise<Imported> {
  return load(database, kind, join(folder, `${randomUUID()}.ndjson`), content, false);
}

async function load(
  database: Database,
  kind: ImportKind,
  file: string,
  content: string | Buffer,
  strict: boolean,
): Promise<Imported> {
  writeFileSync(file, content);
  const rejected: RejectedLine[] = [];
  const outcome = await importLines(database, kind, await LineReader.open(file), {
    strict,
    reject: async (lines) => void rejected.push(...lines),
    progress: () => undefined,
    signal: new AbortController().signal,
  });
  return { outcome, rejected };
}
