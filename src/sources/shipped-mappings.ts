import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createCsvMapper } from './csv/csv.js';
import { listPlaceholders, parseMapping } from './csv/mapping.js';
import { EMPTY_CONTEXT } from './container/envelope.js';
import type { JsonObject } from './json-object.js';

/** Folder of the shipped mappings, in this installation. The relative path works because sources and bundle are equally deep. */
const FOLDER = new URL('../../docs/mappings/', import.meta.url);

/** Returns the file of a shipped mapping; null if none has this name. @param name without `.json`, such as `instagram-posts` */
export const findMapping = (name: string): string | null =>
  listMappings().includes(name) ? fileURLToPath(new URL(`${name}.json`, FOLDER)) : null;

/** Explains how to read a table that no source recognises, and names the shipped mappings whose columns it has. */
export function explainTable(row: JsonObject): string {
  const fitting = listMappings().flatMap((name) => {
    const mapping = parseMapping(readFileSync(new URL(`${name}.json`, FOLDER), 'utf8'));
    if (typeof mapping === 'string' || !createCsvMapper(mapping).recognises(row, EMPTY_CONTEXT)) return [];
    const values = listPlaceholders(mapping).map((member) => ` --set ${member}=VALUE`);
    return [`${name}${values.join('')}`];
  });
  const fit =
    fitting.length === 0
      ? 'no shipped mapping fits its columns, see docs/sources.md'
      : `run "creator-data ingest csv FILE --mapping ${fitting.join('", or with "--mapping ')}"`;
  return `a table needs the source csv with --mapping FILE: ${fit}`;
}

/** Lists the names of the shipped mappings. */
export function listMappings(): string[] {
  try {
    return readdirSync(FOLDER).flatMap((name) => (name.endsWith('.json') ? [name.slice(0, -'.json'.length)] : []));
  } catch (error) {
    // An image may be built without the documents.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
