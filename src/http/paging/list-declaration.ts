import { getMetadataArgsStorage } from 'typeorm';
import type { ColumnOf, EntityClass, SqlValue } from '../../database/statements.js';

/** What a list may be sorted by: a date, which `start_date` and `end_date` bound, or a number, which ranges bound. */
export type SortKind = 'date' | 'number';

/** A filter by equality, as declared. Column and member of the document have its name, unless they are given. */
interface FilterOptions<E> {
  readonly description: string;
  readonly column?: ColumnOf<E>;
  readonly member?: string;
  /** The accepted words, by default any text that fits the column. */
  readonly values?: readonly string[];
  readonly byDefault?: string;
  /** The value as the column holds it; null for a word that filters nothing. */
  readonly stored?: (value: never) => SqlValue;
}

/** A filter by equality. */
export interface ListFilter {
  readonly description: string;
  readonly column: string;
  /** The member that the result reveals. */
  readonly member: string;
  /** Null: any text of 1 to `maxBytes` bytes. */
  readonly values: readonly string[] | null;
  readonly byDefault: string | undefined;
  readonly maxBytes: number;
  readonly stored: (value: string) => SqlValue;
}

/** A filter by a bound, both ends inclusive: `min_` or `max_` and the number it bounds, which the list is sorted by. */
export interface ListRange {
  readonly description: string;
  readonly end: 'min' | 'max';
  readonly sort: string;
}

/**
 * A list in the terms of its entity.
 * @typeParam S sorts, named like column and member; the first is the default
 * @typeParam F filters by equality
 * @typeParam R filters by range
 */
interface ListOptions<E, S extends ColumnOf<E>, F extends string, R extends string> {
  /** Part of every cursor, so it never changes. */
  readonly name: string;
  readonly entity: EntityClass<E>;
  /** Columns that say which list it is, such as the platform. */
  readonly scope: readonly ColumnOf<E>[];
  /** The column that breaks ties: unique within the scope. */
  readonly id: ColumnOf<E>;
  readonly sorts: Readonly<Record<S, SortKind>>;
  readonly filters?: Readonly<Record<F, FilterOptions<E>>>;
  readonly ranges?: Readonly<Record<R & `${'min' | 'max'}_${S}`, { readonly description: string }>>;
  /** Filters that may be given together. Each needs an index (scope, these, sort, ID) for every sort; others are a 400. */
  readonly combinations?: readonly (readonly F[])[];
}

/** A declared list: statements, checks at the start, parameters and the cases of tests are made from it. */
export interface List<S extends string = string, F extends string = string, R extends string = string> {
  readonly name: string;
  readonly entity: EntityClass<object>;
  readonly scope: readonly string[];
  readonly id: string;
  readonly sorts: Readonly<Record<S, SortKind>>;
  readonly filters: Readonly<Record<F, ListFilter>>;
  readonly ranges: Readonly<Record<R, ListRange>>;
  /** With the empty one: no filter at all. */
  readonly combinations: readonly (readonly F[])[];
}

/** The parameters of a list's filters, as validated. */
export type FiltersOf<L> =
  L extends List<infer S, infer F, infer R>
    ? { readonly sort: S } & { readonly [K in F]?: string } & { readonly [K in R]?: number }
    : never;

/** Declares a list. @throws Error, which stops the start, for a filter that no combination has */
export function declareList<
  E extends object,
  const S extends ColumnOf<E>,
  const F extends string = never,
  const R extends string = never,
>({ filters, ranges, combinations = [], ...list }: ListOptions<E, S, F, R>): List<S, F, R> {
  const named = Object.entries<FilterOptions<E>>(filters ?? {});
  const unused = named.find(([name]) => !combinations.some((combination) => combination.includes(name as F)));
  if (unused !== undefined) throw new Error(`${list.name}: no combination has the filter ${unused[0]}`);
  return {
    ...list,
    filters: Object.fromEntries(
      named.map(([name, filter]) => [name, filterOf(name, filter, list.entity)]),
    ) as unknown as Record<F, ListFilter>,
    ranges: Object.fromEntries(
      Object.entries<{ readonly description: string }>(ranges ?? {}).map(([name, { description }]) => [
        name,
        { description, end: name.startsWith('min_') ? 'min' : 'max', sort: name.slice(4) },
      ]),
    ) as Record<R, ListRange>,
    combinations: [[], ...combinations],
  };
}

function filterOf<E extends object>(
  name: string,
  { description, column = name as ColumnOf<E>, member = name, values, byDefault, stored }: FilterOptions<E>,
  entity: EntityClass<E>,
): ListFilter {
  return {
    description,
    column,
    member,
    values: values ?? null,
    byDefault,
    maxBytes: lengthOf(entity, column),
    // It takes the declared values, and validation lets no other through.
    stored: (stored as ListFilter['stored'] | undefined) ?? ((value) => value),
  };
}

/** The bound of a text column; any number for others. */
function lengthOf(entity: EntityClass<object>, column: string): number {
  const found = getMetadataArgsStorage().columns.find(
    ({ target, propertyName }) => target === entity && propertyName === column,
  );
  if (found === undefined) throw new Error(`${entity.name} has no column ${column}`);
  return Number(found.options.length ?? 0);
}
