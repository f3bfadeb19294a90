import { existsSync } from 'node:fs';
import { InvalidArgumentError, Option } from 'commander';
import { CSV_SOURCE, createCsvMapper } from '../../sources/csv/csv.js';
import { fillPlaceholders, parseMapping, type MappingValues } from '../../sources/csv/mapping.js';
import type { Mapper } from '../../sources/fragment.js';
import { MAPPERS } from '../../sources/mappers.js';
import { findMapping, listMappings } from '../../sources/shipped-mappings.js';
import { OperatorError } from '../operator-error.js';
import { readSmallFile } from '../read-small-file.js';

/** Creates the option `--mapping FILE`, which maps the columns of CSV files. */
export const mappingOption = (): Option =>
  new Option(
    '--mapping <file>',
    'JSON file that maps the columns of the source csv, or the name of a shipped one: see docs/sources.md',
  );

/** Creates the option that fills placeholders of a mapping. */
export const setOption = (): Option =>
  new Option(
    '--set <member=value>',
    'fills a placeholder of the mapping, such as author=nasa; may be repeated',
  ).argParser((text: string, previous: MappingValues | undefined): MappingValues => {
    const [, name, value] = /^(\w+)=(.+)$/s.exec(text) ?? [];
    if (name === undefined || value === undefined)
      throw new InvalidArgumentError('It must be MEMBER=VALUE, such as author=nasa.');
    return { ...previous, [name]: value };
  });

/** Returns the mappers of all sources, and that of CSV files if there is a mapping. @throws OperatorError */
export async function selectMappers(
  source: string,
  mapping: string | undefined,
  values: MappingValues = {},
): Promise<readonly Mapper[]> {
  if ((source === CSV_SOURCE) !== (mapping !== undefined)) {
    const problem = source === CSV_SOURCE ? 'the source csv needs --mapping FILE' : '--mapping is for the source csv';
    throw new OperatorError('invalid_arguments', `${problem}: see docs/sources.md`);
  }
  if (mapping === undefined) {
    if (Object.keys(values).length > 0)
      throw new OperatorError('invalid_arguments', '--set fills a placeholder of a mapping: it needs --mapping FILE');
    return MAPPERS;
  }
  const shipped = findMapping(mapping);
  if (shipped === null && !existsSync(mapping)) {
    const problem = `${mapping} is neither a file nor a shipped mapping`;
    throw new OperatorError('not_found', `${problem}: those are ${listMappings().join(', ')}`);
  }
  const parsed = parseMapping(await readSmallFile(shipped ?? mapping));
  if (typeof parsed === 'string') throw new OperatorError('invalid_file', `${mapping}: ${parsed}`);
  const complete = fillPlaceholders(parsed, values);
  if (typeof complete === 'string') throw new OperatorError('invalid_file', `${mapping}: ${complete}`);
  return [...MAPPERS, createCsvMapper(complete)];
}
