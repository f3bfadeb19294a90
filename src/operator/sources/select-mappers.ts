import { Option } from 'commander';
import { CSV_SOURCE, createCsvMapper } from '../../sources/csv/csv.js';
import { parseMapping } from '../../sources/csv/mapping.js';
import type { Mapper } from '../../sources/fragment.js';
import { MAPPERS } from '../../sources/mappers.js';
import { OperatorError } from '../operator-error.js';
import { readSmallFile } from '../read-small-file.js';

/** Creates the option `--mapping FILE`, which maps the columns of CSV files. */
export const mappingOption = (): Option =>
  new Option('--mapping <file>', 'JSON file that maps the columns of the source csv: see docs/sources.md');

/** Returns the mappers of all sources, and that of CSV files if there is a mapping. @throws OperatorError */
export async function selectMappers(source: string, mapping: string | undefined): Promise<readonly Mapper[]> {
  if ((source === CSV_SOURCE) !== (mapping !== undefined)) {
    const problem = source === CSV_SOURCE ? 'the source csv needs --mapping FILE' : '--mapping is for the source csv';
    throw new OperatorError('invalid_arguments', `${problem}: see docs/sources.md`);
  }
  if (mapping === undefined) return MAPPERS;
  const parsed = parseMapping(await readSmallFile(mapping));
  if (typeof parsed === 'string') throw new OperatorError('invalid_file', `${mapping}: ${parsed}`);
  return [...MAPPERS, createCsvMapper(parsed)];
}
