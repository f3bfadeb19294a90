import { expect, it } from '@jest/globals';
import { countParts } from './json-parts.js';

it.each([
  ['1', 0],
  ['{}', 1],
  ['{"a":[1,{"b":null}],"c":2}', 6],
  ['[[],[[]]]', 4],
  [String.raw`["[{:", "\"[[", "\\", [1]]`, 2],
  ['"not closed [[[', 0],
  ['"\\', 0],
])('%s has %i arrays, objects and members', (text, parts) => {
  expect(countParts(Buffer.from(text))).toBe(parts);
});
