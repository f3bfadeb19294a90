import { getMetadataArgsStorage } from 'typeorm';
import type { ColumnOf, EntityClass, SqlValue } from '../../database/statements.js';

/** Type of a sort member: a date, bounded by `start_date` and `end_date`, or a number, bounded by ranges. */
export type SortKind = 'date' | 'number';

/** Declaration of an equality filter. Its column and its member have the filter's name by default. */
interface FilterOptions<E> {
  readonly description: string;
  readonly column?: ColumnOf<E>;
  readonly member?: string;
  /** Accepted words; by default any text that fits the column. */
  readonly values?: readonly string[];
  readonly byDefault?: string;
  /** Converts a value to the one in the column; null for a word that means no filter. */
  readonly stored?: (value: never) => SqlValue;
}

export interface ListFilter {
  readonly description: string;
  readonly column: string;
  readonly member: string;
  /** Null accepts any text of 1 to `maxBytes` bytes. */
  readonly values: readonly string[] | null;
  readonly byDefault: string | undefined;
  readonly maxBytes: number;
  readonly stored: (value: string) => SqlValue;
}

/** Range filter, such as `min_followers`: an inclusive bound of the number that the list is sorted by. */
export interface ListRange {
  readonly description: string;
  readonly end: 'min' | 'max';
  readonly sort: string;
}

/**
 * Declaration of a list over its entity.
 * @typeParam S sorts, each the name of both a column and a member; the first is the default
 * @typeParam F filters by equality
 * @typeParam R filters by range
 */
interface ListOptions<E, S extends ColumnOf<E>, F extends string, R extends string> {
  /** Part of every cursor, so it must never change. */
  readonly name: string;
  readonly entity: EntityClass<E>;
  /** Columns that select one list, such as the platform. */
  readonly scope: readonly ColumnOf<E>[];
  /** Tie-break column, unique within the scope. */
  readonly id: ColumnOf<E>;
  readonly sorts: Readonly<Record<S, SortKind>>;
  readonly filters?: Readonly<Record<F, FilterOptions<E>>>;
  readonly ranges?: Readonly<Record<R & `${'min' | 'max'}_${S}`, { readonly description: string }>>;
  /** Filters that may be given together; other combinations are a 400. Each needs an index (scope, filters, sort, ID) for
   * every sort. */
  readonly combinations?: readonly (readonly F[])[];
}

/** Declared list: the source of its statements, index checks, parameters and test cases. */
export interface List<S extends string = string, F extends string = string, R extends string = string> {
  readonly name: string;
  readonly entity: EntityClass<object>;
  readonly scope: readonly string[];
  readonly id: string;
  readonly sorts: Readonly<Record<S, SortKind>>;
  readonly filters: Readonly<Record<F, ListFilter>>;
  readonly ranges: Readonly<Record<R, ListRange>>;
  /** Includes the empty combination, for no filter. */
  readonly combinations: readonly (readonly F[])[];
}

/** Validated parameters of a list's sort, filters and ranges. */
export type FiltersOf<L> =
  L extends List<infer S, infer F, infer R>
    ? { readonly sort: S } & { readonly [K in F]?: string } & { readonly [K in R]?: number }
    : never;

/** @throws Error, which stops the start, for a filter that is in no combination */
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
      named.map(([name, filter]) => [name, completeFilter(name, filter, list.entity)]),
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

function completeFilter<E extends object>(
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
    maxBytes: findMaxBytes(entity, column),
    // Accepts only the declared values, which validation ensures.
    stored: (stored as ListFilter['stored'] | undefined) ?? ((value) => value),
  };
}

/** Returns the length of a text column, and 0 for others. */
function findMaxBytes(entity: EntityClass<object>, column: string): number {
  const found = getMetadataArgsStorage().columns.find(
    ({ target, propertyName }) => target === entity && propertyName === column,
  );
  if (found === undefined) throw new Error(`${entity.name} has no column ${column}`);
  return Number(found.options.length ?? 0);
}
