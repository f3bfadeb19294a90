import { applyDecorators } from '@nestjs/common';
import type { List, ListFilter, ListRange } from '../paging/list-declaration.js';
import { InOrder, OneOf, TextUpToBytes, WholeNumber } from './parameters.js';

/** Parameter `sort` of a declared list. The first sort is the default. */
export function SortParameter({ sorts }: List): PropertyDecorator {
  const names = Object.keys(sorts);
  return OneOf(names, names[0], 'What the list is sorted by, and the dates bound');
}

/** Equality or range filter of a declared list. The property must have the filter's name. */
export function FilterParameter({ filters, ranges }: List): PropertyDecorator {
  return (target, name) => {
    const filter = (filters as Readonly<Record<string | symbol, ListFilter | undefined>>)[name];
    const range = (ranges as Readonly<Record<string | symbol, ListRange | undefined>>)[name];
    if (filter !== undefined) equalityParameter(filter)(target, name);
    else if (range !== undefined) rangeParameter(range)(target, name);
    else throw new Error(`the list declares no filter ${String(name)}`);
  };
}

const equalityParameter = ({ values, byDefault, description, maxBytes }: ListFilter): PropertyDecorator =>
  values === null ? TextUpToBytes(maxBytes, description) : OneOf(values, byDefault, description);

function rangeParameter({ description, end, sort }: ListRange): PropertyDecorator {
  const bound = WholeNumber(`${description}. Needs \`sort=${sort}\``);
  return end === 'max' ? applyDecorators(bound, InOrder(`min_${sort}`, 'more')) : bound;
}
