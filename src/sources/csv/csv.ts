import type { Author, ContentFragment, Mapped, Mapper, ProfileFragment } from '../fragment.js';
import { commentsOf, Findings, sumOf } from '../reading/findings.js';
import { isItem, type Item } from '../reading/responses.js';
import { HELD, isContentType, type Cell, type Mapping } from './mapping.js';
import { readingsOf } from './readings.js';

export const CSV = 'csv';

/** A reader of tables whose columns a mapping explains. A row with a cell that cannot be read is rejected as a whole. */
export function csvMapper(mapping: Mapping): Mapper {
  const columns = new Set([mapping.observed_at, mapping.profile, mapping.content].flatMap(columnsOf));
  return {
    source: CSV,

    recognises: (document) => isItem(document) && [...columns].every((column) => column in document),

    map(document): Mapped {
      const found = new Findings(null, false);
      if (!isItem(document)) return found;
      const missing = [...columns].find((column) => !(column in document));
      if (missing !== undefined) found.reject(missing, 'there is no such column');
      else mapRow(document, mapping, found);
      return found;
    },
  };
}

function mapRow(row: Item, mapping: Mapping, all: Findings): void {
  const reader = new RowReader(row, mapping.unknown);
  const observedAt = reader.read('observed_at', mapping.observed_at);
  const profile = mapping.profile && reader.readAll(mapping.profile);
  const content = mapping.content && reader.readAll(mapping.content);
  if (reader.problem !== null) return all.reject(reader.problem.column, reader.problem.reason);
  const found = all.at(typeof observedAt === 'string' ? new Date(observedAt) : null);
  if (profile) addProfile(profile, mapping, found);
  if (content) addContent(content, mapping, found);
}

type Members = Readonly<Record<string, string | number | boolean | null | undefined>>;

function addProfile({ id, followers, views_estimated, ...known }: Members, mapping: Mapping, found: Findings): void {
  const key = found.idOf(id as string | null, '', mapping.profile?.id.column ?? 'id');
  if (key === null) return;
  const statistics = { followers, views_estimated };
  found.profile(mapping.platform, key, { ...known, statistics } as ProfileFragment['known']);
}

function addContent(members: Members, mapping: Mapping, found: Findings): void {
  const { id, author, author_handle: handle, views, likes, comments, ...known } = members;
  const key = found.idOf(id as string | null, '', mapping.content?.id.column ?? 'id');
  if (key === null) return;
  const whose = (author ? { id: author } : handle ? { handle } : null) as Author | null;
  const statistics = {
    views: sumOf(views as number | null | undefined),
    likes: sumOf(likes as number | null | undefined),
    comments: commentsOf(comments as number | null | undefined),
  };
  found.content(mapping.platform, key, whose, { ...known, statistics } as ContentFragment['known']);
}

/** Reads the cells of a row, and keeps the first problem. */
class RowReader {
  problem: { readonly column: string; readonly reason: string } | null = null;

  constructor(
    private readonly row: Item,
    private readonly unknown: readonly string[],
  ) {}

  readAll(cells: Readonly<Record<string, Cell | undefined>>): Members {
    return Object.fromEntries(Object.entries(cells).map(([name, cell]) => [name, this.read(name, cell)]));
  }

  /** @returns undefined where nothing is known */
  read(name: string, cell: Cell | undefined): Members[string] {
    const text = cell && this.#textOf(cell);
    if (cell === undefined || text === undefined) return undefined;
    const read = readingsOf(HELD[name] ?? 'text')[cell.read]?.safeParse(text);
    if (read?.success !== true) return this.#fail(cell, read?.error.issues[0]?.message ?? 'cannot be read');
    if (name === 'type' && !isContentType(read.data)) return this.#fail(cell, 'is no type of content: use "words"');
    return read.data ?? undefined;
  }

  #textOf({ column, value, pattern, words, template }: Cell): string | undefined {
    const given = value ?? this.row[column ?? ''];
    if (typeof given !== 'string' || given === '' || this.unknown.includes(given)) return undefined;
    let text = given;
    if (pattern !== undefined) text = pattern.exec(text)?.[1] ?? '';
    if (words !== undefined) text = words[text] ?? text;
    return template === undefined ? text : template.replaceAll('{}', () => text);
  }

  #fail({ column }: Cell, reason: string): undefined {
    this.problem ??= { column: column ?? 'value', reason };
  }
}

function columnsOf(described: Cell | Readonly<Record<string, Cell | undefined>> | undefined): string[] {
  if (described === undefined) return [];
  const cells = 'read' in described ? [described as Cell] : Object.values(described as Record<string, Cell>);
  return cells.flatMap((cell) => cell?.column ?? []);
}
