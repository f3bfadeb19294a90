import { applyDecorators } from '@nestjs/common';
import type { List, ListFilter, ListRange } from '../paging/list-declaration.js';
import { InOrder, OneOf, TextUpToBytes, WholeNumber } from './parameters.js';

/** `sort` of a declared list, whose first sort is the default. */
export function SortParameter({ sorts }: List): PropertyDecorator {
  const names = Object.keys(sorts);
  return OneOf('sort', names, names[0], 'What the list is sorted by, and the dates bound');
}

/** A filter of a declared list, by equality or by range. */
export function FilterParameter<F extends string, R extends string>(
  { filters, ranges }: List<string, F, R>,
  name: F | R,
): PropertyDecorator {
  const filter = (filters as Readonly<Record<string, ListFilter | undefined>>)[name];
  if (filter !== undefined) {
    const { values, byDefault, description, maxBytes } = filter;
    return values === null ? TextUpToBytes(name, maxBytes, description) : OneOf(name, values, byDefault, description);
  }
  const { description, end, sort } = (ranges as Readonly<Record<string, ListRange>>)[name] as ListRange;
  const other = `min_${sort}`;
  const whole = WholeNumber(name, `${description}. Needs \`sort=${sort}\``);
  return end === 'max' ? applyDecorators(whole, InOrder(other, `${other} must not be more than ${name}`)) : whole;
}
