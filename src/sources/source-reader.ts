/// <reference lib="es2024.string" />
import type { Readable } from 'node:stream';
import { lookupProblem } from '../model/scalars.js';
import type { Join } from './assemble/join.js';
import { CSV } from './csv/csv.js';
import { readValues, shownText, type ReadValue } from './container/documents.js';
import type { JsonObject } from './container/envelope.js';
import type { DocumentContext, Fragment, Mapper } from './fragment.js';
import type { Tally } from './report.js';

/** Something that did not become a record, as the file of rejects holds it. */
export interface RejectedDocument {
  readonly line: number;
  /** Which item of the list on that line, from 0. */
  readonly item?: number;
  readonly path?: string;
  readonly reason: string;
  readonly text: string;
}

/** The first bad document under `--strict`. */
export class StrictSourceError extends Error {
  constructor(file: string, { line, item, path, reason }: RejectedDocument) {
    const place = `line ${line}${item === undefined ? '' : `, item ${item}`}${path ? `, ${path}` : ''}`;
    super(`${file}: ${place}: ${reason}`);
  }
}

/** The word for `SOURCE` that lets each document say what it is. */
export const AUTO = 'auto';

const LINES_PER_INPUT = 2 ** 32;

/** Reads inputs of one source, or of any, into the join. */
export class SourceReader {
  readonly #own: readonly Mapper[];
  readonly #names: string[] = [];
  /** The mapper of the last document: its neighbours are mostly of the same kind. */
  #last: Mapper | null = null;

  constructor(
    private readonly mappers: readonly Mapper[],
    private readonly source: string,
    private readonly join: Join,
    private readonly tally: Tally,
  ) {
    this.#own = source === AUTO ? mappers : mappers.filter((mapper) => mapper.source === source);
  }

  /** Reads one input; yields after each piece of it what was rejected. */
  async *read(name: string, input: Readable, isCsv: boolean): AsyncGenerator<RejectedDocument[]> {
    const number = this.#names.push(name) - 1;
    for await (const values of readValues(input, { isCsv })) {
      const rejected: RejectedDocument[] = [];
      for (const value of values) this.#take(value, number * LINES_PER_INPUT + value.line, rejected);
      this.tally.rejected += rejected.length;
      yield rejected;
    }
  }

  /** The input and the line that a fragment came from. */
  placeOf(origin: number): { readonly file: string; readonly line: number } {
    const file = this.#names[Math.floor(origin / LINES_PER_INPUT)] ?? '';
    return { file, line: origin % LINES_PER_INPUT };
  }

  #take(value: ReadValue, origin: number, rejected: RejectedDocument[]): void {
    const { problem, skipped, documents, item, line } = value;
    const isList = documents.length > 1;
    const reject = (index: number, reason: string, path?: string, text = value.text) => {
      const place = item ?? (isList ? index : null);
      rejected.push({
        line,
        ...(place === null ? {} : { item: place }),
        ...(path === undefined || path === '' ? {} : { path }),
        reason,
        text: shownText(text),
      });
    };
    this.tally.read += Math.max(1, documents.length);
    if (problem !== null) reject(0, problem);
    if (skipped !== null) this.tally.skip(skipped);
    for (const [index, document] of documents.entries()) {
      const fail = (reason: string, path?: string) =>
        reject(index, reason, path, isList ? JSON.stringify(document) : undefined);
      const mapper = this.#mapperOf(document, value.context, fail);
      if (mapper !== null) this.#map(mapper, document, value.context, origin, fail);
    }
  }

  #mapperOf(document: JsonObject, context: DocumentContext, fail: (reason: string) => void): Mapper | null {
    if (this.#last?.recognises(document, context) === true) return this.#last;
    const found = this.#own.find((mapper) => mapper.recognises(document, context));
    if (found !== undefined) return (this.#last = found);
    // Whoever explains the columns of a table knows whose it is.
    const others =
      this.source === AUTO || this.source === CSV ? [] : this.mappers.filter((mapper) => mapper.source !== this.source);
    const other = others.find((mapper) => mapper.recognises(document, context));
    if (other !== undefined) {
      fail(`it is a document of ${other.source}, not of ${this.source}`);
      return null;
    }
    const only = this.source === AUTO ? undefined : this.#own[0];
    if (only === undefined) fail('no source is known by this shape: name the source, or wrap it with its url');
    return only ?? null;
  }

  #map(
    mapper: Mapper,
    document: JsonObject,
    context: DocumentContext,
    origin: number,
    fail: (reason: string, path?: string) => void,
  ): void {
    const { fragments, unknownMembers } = mapper.map(document, context);
    let isUsed = false;
    for (const fragment of fragments) {
      if (fragment.kind === 'rejected') fail(fragment.reason, fragment.path);
      else if (fragment.kind === 'skipped') this.tally.skip(fragment.reason);
      else {
        const problem = problemOf(fragment);
        if (problem === undefined) {
          this.join.add(fragment, origin);
          isUsed = true;
        } else fail(problem);
      }
    }
    if (isUsed) this.tally.mapped += 1;
    for (const name of unknownMembers) this.tally.unknownMember(name);
  }
}

/** Why an ID of a fragment cannot be stored. */
function problemOf(fragment: Exclude<Fragment, { kind: 'rejected' | 'skipped' }>): string | undefined {
  for (const id of idsOf(fragment)) {
    const problem = id === '' ? 'must not be empty' : (lookupProblem(id) ?? malformed(id));
    if (problem !== undefined) return `the ID ${problem}`;
  }
  return undefined;
}

const malformed = (id: string): string | undefined =>
  id.isWellFormed() ? undefined : 'must not contain half a surrogate pair';

function idsOf(fragment: Exclude<Fragment, { kind: 'rejected' | 'skipped' }>): string[] {
  switch (fragment.kind) {
    case 'content': {
      const { author, id } = fragment;
      return author === null ? [id] : [id, 'id' in author ? author.id : author.handle];
    }
    case 'snapshot':
    case 'form-proof':
      return [fragment.contentId];
    case 'game-link':
      return [fragment.platformId, fragment.gameId];
    case 'link':
      return [fragment.profileId];
    default:
      return [fragment.id];
  }
}
