import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { importLines, type ImportOutcome } from '../../src/operator/import/importer.js';
import type { Rejected } from '../../src/operator/import/batches.js';
import { LineReader } from '../../src/operator/import/line-reader.js';
import type { ImportKind } from '../../src/operator/import/parse-line.js';
import type { TestService } from './service.js';

/** What an import made of a file. */
export interface Imported {
  readonly outcome: ImportOutcome;
  readonly rejected: readonly Rejected[];
}

/** Loads a file of exactly these bytes; `.gz` packs them. */
export async function importFile(
  service: TestService,
  kind: ImportKind,
  content: string | Buffer,
  { gz = false, strict = false } = {},
): Promise<Imported> {
  const file = join(service.testDatabase.folder, `${randomUUID()}.ndjson${gz ? '.gz' : ''}`);
  writeFileSync(file, gz ? gzipSync(content) : content);
  const rejected: Rejected[] = [];
  const outcome = await importLines(service.database, kind, await LineReader.open(file), {
    strict,
    reject: async (lines) => void rejected.push(...lines),
    progress: () => undefined,
    signal: new AbortController().signal,
  });
  return { outcome, rejected };
}
