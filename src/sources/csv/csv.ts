import { CONTENT_TYPES } from '../../features/content/content.js';
import type { Author, ContentFragment, MappingResult, Mapper, ProfileFragment } from '../fragment.js';
import { isObject, type JsonObject } from '../json-object.js';
import { createCommentCount, Findings, createSum } from '../reading/findings.js';
import { MEMBER_KINDS, isContentType, type CellMapping, type CsvMapping } from './mapping.js';
import { readingsOf } from './readings.js';

/** The value of `SOURCE` for tables with a mapping. */
export const CSV_SOURCE = 'csv';

/** Creates the mapper of tables whose columns a mapping defines. A row with an invalid cell is rejected as a whole.
 * Throws for a table that lacks a column, because every row lacks it. */
export function createCsvMapper(mapping: CsvMapping): Mapper {
  const columns = new Set([mapping.observed_at, mapping.profile, mapping.content].flatMap(columnsOf));
  return {
    source: CSV_SOURCE,

    recognises: (document) => isObject(document) && [...columns].every((column) => column in document),

    map(document): MappingResult {
      const findings = new Findings(null, false);
      if (!isObject(document)) return findings;
      const missing = [...columns].find((column) => !(column in document));
      if (missing !== undefined) {
        const found = Object.keys(document);
        const advice = found[0]?.includes(';') ? 'separate the columns by commas or tabs' : 'correct the mapping';
        throw new Error(`the mapping needs the column ${missing}, but the table has ${found.join(', ')}: ${advice}`);
      }
      mapRow(document, mapping, findings);
      return findings;
    },
  };
}

function mapRow(row: JsonObject, mapping: CsvMapping, base: Findings): void {
  const reader = new RowReader(row, mapping.unknown);
  const observedAt = reader.read('observed_at', mapping.observed_at);
  const profile = mapping.profile && reader.readAll(mapping.profile);
  const content = mapping.content && reader.readAll(mapping.content);
  if (reader.problem !== null) return base.reject(reader.problem.column, reader.problem.reason);
  const findings = base.withObservedAt(typeof observedAt === 'string' ? new Date(observedAt) : null);
  if (profile) addProfile(profile, mapping, findings);
  if (content) addContent(content, mapping, findings);
}

type CellValues = Readonly<Record<string, string | number | boolean | null | undefined>>;

function addProfile(
  { id, followers, views_estimated, ...known }: CellValues,
  mapping: CsvMapping,
  findings: Findings,
): void {
  const recordId = findings.requireId(id as string | null, '', mapping.profile?.id.column ?? 'id');
  if (recordId === null) return;
  const statistics = { followers, views_estimated };
  findings.addProfile(mapping.platform, recordId, { ...known, statistics } as ProfileFragment['known']);
}

function addContent(members: CellValues, mapping: CsvMapping, findings: Findings): void {
  const { id, author, author_handle: handle, views, likes, comments, ...known } = members;
  const recordId = findings.requireId(id as string | null, '', mapping.content?.id.column ?? 'id');
  if (recordId === null) return;
  const owner = (author ? { id: author } : handle ? { handle } : null) as Author | null;
  const statistics = {
    views: createSum(views as number | null | undefined),
    likes: createSum(likes as number | null | undefined),
    comments: createCommentCount(comments as number | null | undefined),
  };
  findings.addContent(mapping.platform, recordId, owner, { ...known, statistics } as ContentFragment['known']);
}

/** Parses the cells of a row, and keeps the first problem. */
class RowReader {
  problem: { readonly column: string; readonly reason: string } | null = null;

  constructor(
    private readonly row: JsonObject,
    private readonly unknown: readonly string[],
  ) {}

  readAll(cells: Readonly<Record<string, CellMapping | undefined>>): CellValues {
    return Object.fromEntries(Object.entries(cells).map(([name, cell]) => [name, this.read(name, cell)]));
  }

  /** Parses a cell; undefined if its value is unknown or invalid. */
  read(name: string, cell: CellMapping | undefined): CellValues[string] {
    const text = cell && this.#textOf(cell);
    if (cell === undefined || text === undefined) return undefined;
    const readings = readingsOf(MEMBER_KINDS[name] ?? 'text');
    const read = readings[cell.read]?.safeParse(text);
    if (read?.success !== true) {
      const [byDefault, ...others] = Object.keys(readings);
      const fitting =
        cell.read === byDefault ? others.find((other) => readings[other]?.safeParse(text).success) : undefined;
      const advice = fitting === undefined ? '' : `: read it as ${fitting} in the mapping`;
      return this.#fail(cell, `${read?.error.issues[0]?.message ?? 'cannot be read'}${advice}`);
    }
    if (name === 'type' && !isContentType(read.data))
      return this.#fail(cell, `must be one of ${CONTENT_TYPES.join(', ')}: map it with "words"`);
    return read.data ?? undefined;
  }

  #textOf({ column, value, pattern, words, template }: CellMapping): string | undefined {
    const given = value ?? this.row[column ?? ''];
    if (typeof given !== 'string' || given === '' || this.unknown.includes(given)) return undefined;
    let text = given;
    if (pattern !== undefined) text = pattern.exec(text)?.[1] ?? '';
    if (words !== undefined) text = words.get(text) ?? text;
    return template === undefined ? text : template.replaceAll('{}', () => text);
  }

  #fail({ column }: CellMapping, reason: string): undefined {
    this.problem ??= { column: column ?? 'value', reason };
  }
}

function columnsOf(cellOrCells: CellMapping | Readonly<Record<string, CellMapping | undefined>> | undefined): string[] {
  if (cellOrCells === undefined) return [];
  const cells =
    'read' in cellOrCells ? [cellOrCells as CellMapping] : Object.values(cellOrCells as Record<string, CellMapping>);
  return cells.flatMap((cell) => cell?.column ?? []);
}
