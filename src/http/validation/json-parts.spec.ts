import { expect, it } from '@jest/globals';
import { countParts } from './json-parts.js';

it.each([
  ['1', 0, 0],
  ['{}', 1, 0],
  ['{"a":[1,{"b":null}],"c":2}', 6, 2],
  ['[[],[[]]]', 4, 1],
  [String.raw`["[{:,", "\"[[,", "\\", [1]]`, 2, 3],
  ['"not closed [[[,', 0, 0],
  ['"\\', 0, 0],
])('%s has %i arrays, objects and members, and %i further values', (text, structures, values) => {
  expect(countParts(Buffer.from(text))).toEqual({ structures, values });
});
