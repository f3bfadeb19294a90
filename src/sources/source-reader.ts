/// <reference lib="es2024.string" />
import type { Readable } from 'node:stream';
import { lookupProblem } from '../model/scalars.js';
import type { FragmentStore } from './assemble/fragment-store.js';
import { CSV_SOURCE } from './csv/csv.js';
import type { Delimiter } from './container/csv-rows.js';
import { readValues, formatRejectedText, type ReadValue } from './container/documents.js';
import type { DocumentContext, Fragment, Mapper } from './fragment.js';
import type { JsonObject } from './json-object.js';
import type { RunCounters } from './report.js';
import { explainTable } from './shipped-mappings.js';

/** A document or part of one that was rejected, as the file of rejects contains it. */
export interface RejectedDocument {
  readonly line: number;
  /** Index in the array on that line, from 0. */
  readonly item?: number;
  readonly path?: string;
  readonly reason: string;
  readonly text: string;
}

/** The first rejected document under `--strict`. */
export class StrictSourceError extends Error {
  constructor(file: string, { line, item, path, reason }: RejectedDocument) {
    const location = `line ${line}${item === undefined ? '' : `, item ${item}`}${path ? `, ${path}` : ''}`;
    super(`${file}: ${location}: ${reason}`);
  }
}

/** The value of `SOURCE` that detects the source of each document. */
export const AUTO_SOURCE = 'auto';

const LINES_PER_INPUT = 2 ** 32;

/** Reads inputs of one source, or of any source with `auto`, and adds their fragments to the store. */
export class SourceReader {
  readonly #candidates: readonly Mapper[];
  readonly #names: string[] = [];
  /** Mapper of the last document, tried first: neighbouring documents mostly have the same source. */
  #last: Mapper | null = null;
  /** Why the rows of the current table are not recognised; null until then, and for other inputs. */
  #tableProblem: string | null = null;
  #isTable = false;

  constructor(
    private readonly mappers: readonly Mapper[],
    private readonly source: string,
    private readonly store: FragmentStore,
    private readonly counters: RunCounters,
  ) {
    this.#candidates = source === AUTO_SOURCE ? mappers : mappers.filter((mapper) => mapper.source === source);
  }

  /** Reads one input, and yields the rejected documents of each batch. @param delimiter that of a table; null for JSON */
  async *read(name: string, input: Readable, delimiter: Delimiter | null): AsyncGenerator<RejectedDocument[]> {
    const number = this.#names.push(name) - 1;
    this.#isTable = delimiter !== null;
    this.#tableProblem = null;
    for await (const values of readValues(input, delimiter)) {
      const rejected: RejectedDocument[] = [];
      for (const value of values) this.#readValue(value, number * LINES_PER_INPUT + value.line, rejected);
      this.counters.rejected += rejected.length;
      yield rejected;
    }
  }

  /** Returns the file and line that a fragment came from. */
  locate(origin: number): { readonly file: string; readonly line: number } {
    const file = this.#names[Math.floor(origin / LINES_PER_INPUT)] ?? '';
    return { file, line: origin % LINES_PER_INPUT };
  }

  #readValue(value: ReadValue, origin: number, rejected: RejectedDocument[]): void {
    const { problem, skipped, documents, item, line } = value;
    const isList = documents.length > 1;
    const reject = (index: number, reason: string, path?: string, text = value.text) => {
      const itemNumber = item ?? (isList ? index : null);
      rejected.push({
        line,
        ...(itemNumber === null ? {} : { item: itemNumber }),
        ...(path === undefined || path === '' ? {} : { path }),
        reason,
        text: formatRejectedText(text),
      });
    };
    this.counters.read += Math.max(1, documents.length);
    if (problem !== null) reject(0, problem);
    if (skipped !== null) this.counters.countSkipped(skipped);
    for (const [index, document] of documents.entries()) {
      const fail = (reason: string, path?: string) =>
        reject(index, reason, path, isList ? JSON.stringify(document) : undefined);
      const mapper = this.#findMapper(document, value.context, fail);
      if (mapper !== null) this.#map(mapper, document, value.context, origin, fail);
    }
  }

  #findMapper(document: JsonObject, context: DocumentContext, fail: (reason: string) => void): Mapper | null {
    if (this.#last?.recognises(document, context) === true) return this.#last;
    const found = this.#candidates.find((mapper) => mapper.recognises(document, context));
    if (found !== undefined) return (this.#last = found);
    // A CSV mapping already names its platform.
    const others =
      this.source === AUTO_SOURCE || this.source === CSV_SOURCE
        ? []
        : this.mappers.filter((mapper) => mapper.source !== this.source);
    const other = others.find((mapper) => mapper.recognises(document, context));
    if (other !== undefined) {
      fail(`document of the source ${other.source}, expected ${this.source}: name that source, or auto`);
      return null;
    }
    const namedMapper = this.source === AUTO_SOURCE ? undefined : this.#candidates[0];
    if (namedMapper === undefined)
      fail(
        this.#isTable
          ? (this.#tableProblem ??= explainTable(document))
          : `no source recognises this document: name the source${context.url === null ? ', or wrap the response with its url' : ''}`,
      );
    return namedMapper ?? null;
  }

  #map(
    mapper: Mapper,
    document: JsonObject,
    context: DocumentContext,
    origin: number,
    fail: (reason: string, path?: string) => void,
  ): void {
    const { fragments, unknownMembers } = mapper.map(document, context);
    let hasFragment = false;
    for (const fragment of fragments) {
      if (fragment.kind === 'rejected') fail(fragment.reason, fragment.path);
      else if (fragment.kind === 'skipped') this.counters.countSkipped(fragment.reason);
      else {
        const problem = findIdProblem(fragment);
        if (problem === undefined) {
          this.store.add(fragment, origin);
          hasFragment = true;
        } else fail(problem);
      }
    }
    if (hasFragment) this.counters.mapped += 1;
    for (const name of unknownMembers) this.counters.countUnknownMember(name);
  }
}

/** Returns why an ID of a fragment cannot be stored, or undefined if each ID is valid. */
function findIdProblem(fragment: Exclude<Fragment, { kind: 'rejected' | 'skipped' }>): string | undefined {
  for (const id of listIds(fragment)) {
    const problem = id === '' ? 'must not be empty' : (lookupProblem(id) ?? surrogateProblem(id));
    if (problem !== undefined) return `the ID ${problem}`;
  }
  return undefined;
}

const surrogateProblem = (id: string): string | undefined =>
  id.isWellFormed() ? undefined : 'must not contain half a surrogate pair';

function listIds(fragment: Exclude<Fragment, { kind: 'rejected' | 'skipped' }>): string[] {
  switch (fragment.kind) {
    case 'content': {
      const { author, id } = fragment;
      return author === null ? [id] : [id, 'id' in author ? author.id : author.handle];
    }
    case 'snapshot':
    case 'type-proof':
      return [fragment.contentId];
    case 'game-link':
      return [fragment.platformId, fragment.gameId];
    case 'link':
      return [fragment.profileId];
    default:
      return [fragment.id];
  }
}
