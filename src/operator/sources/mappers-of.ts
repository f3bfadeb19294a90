import { readFile } from 'node:fs/promises';
import { Option } from 'commander';
import { CSV, csvMapper } from '../../sources/csv/csv.js';
import { readMapping } from '../../sources/csv/mapping.js';
import type { Mapper } from '../../sources/fragment.js';
import { MAPPERS } from '../../sources/mappers.js';
import { OperatorError } from '../operator-error.js';

/** `--mapping FILE`, which explains the columns of `csv`. */
export const mappingOption = (): Option =>
  new Option('--mapping <file>', 'what the columns of csv mean, as JSON: see docs/sources.md');

/** The readers of a command: those of all sources, and one for tables where a mapping explains them. */
export async function mappersOf(source: string, mapping: string | undefined): Promise<readonly Mapper[]> {
  if ((source === CSV) !== (mapping !== undefined)) {
    const what = source === CSV ? 'the source csv needs --mapping FILE' : '--mapping is for the source csv';
    throw new OperatorError('invalid_arguments', `${what}: docs/sources.md shows one`);
  }
  if (mapping === undefined) return MAPPERS;
  const text = await readFile(mapping, 'utf8').catch((error: Error) => {
    // That it is a folder comes without its name.
    throw Object.assign(error, { path: mapping });
  });
  const read = readMapping(text);
  if (typeof read === 'string') throw new OperatorError('invalid_file', `${mapping}: ${read}`);
  return [...MAPPERS, csvMapper(read)];
}
