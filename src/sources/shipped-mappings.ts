import { readdirSync, readFileSync } from 'node:fs';
import { createCsvMapper } from './csv/csv.js';
import { listPlaceholders, parseMapping } from './csv/mapping.js';
import { EMPTY_CONTEXT } from './container/envelope.js';
import type { JsonObject } from './json-object.js';

/** Folder of the shipped mappings, in this installation. The relative path works because sources and bundle are equally deep. */
const FOLDER = new URL('../../docs/mappings/', import.meta.url);

/** Explains how to read a table that no source recognises, and names the shipped mappings whose columns it has. */
export function explainTable(row: JsonObject): string {
  const fitting = listMappings().flatMap((name) => {
    const mapping = parseMapping(readFileSync(new URL(name, FOLDER), 'utf8'));
    if (typeof mapping === 'string' || !createCsvMapper(mapping).recognises(row, EMPTY_CONTEXT)) return [];
    const values = listPlaceholders(mapping).map((member) => ` --set ${member}=VALUE`);
    return [`docs/mappings/${name}${values.join('')}`];
  });
  const fit =
    fitting.length === 0
      ? 'no mapping in docs/mappings fits its columns, see docs/sources.md'
      : `its columns fit docs/mappings; run "creator-data ingest csv FILE --mapping ${fitting.join('", or with "--mapping ')}"`;
  return `a table needs the source csv with --mapping FILE: ${fit}`;
}

function listMappings(): string[] {
  try {
    return readdirSync(FOLDER).filter((name) => name.endsWith('.json'));
  } catch (error) {
    // An image may be built without the documents.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
