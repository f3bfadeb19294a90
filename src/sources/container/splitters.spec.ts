import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { RawValue } from './raw-value.js';
import { LineSplitter, ValueSplitter, type Splitter } from './splitters.js';

/** Texts that a splitter could mistake for structure. */
const text = fc.string({ unit: fc.constantFrom('"', '\\', '[', ']', '{', '}', ',', 'a', 'ü', '\n', '😀') });

const value = fc.oneof(
  fc.dictionary(text, fc.oneof(text, fc.integer(), fc.array(text, { maxLength: 2 }))),
  text,
  fc.integer(),
  fc.boolean(),
);

/** Splits bytes into chunks of these lengths, repeated in a cycle. */
function* piecesOf(bytes: Buffer, lengths: readonly number[]): Generator<Buffer> {
  for (let at = 0, index = 0; at < bytes.length; index += 1) {
    const length = lengths[index % lengths.length] ?? 1;
    yield bytes.subarray(at, at + length);
    at += length;
  }
}

function split(splitter: Splitter, content: string, lengths: readonly number[]): RawValue[] {
  const found: RawValue[] = [];
  for (const piece of piecesOf(Buffer.from(content), lengths)) splitter.push(piece, found);
  splitter.end(found);
  return found;
}

const lengths = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 });
const indentation = fc.constantFrom(0, 1);

describe('values', () => {
  it('of an array are split into items, wherever the chunks end', () => {
    fc.assert(
      fc.property(fc.array(value), indentation, lengths, (values, indent, cuts) => {
        const found = split(new ValueSplitter(), JSON.stringify(values, null, indent), cuts);
        expect(found.map((one) => [one.item, one.problem, JSON.parse(one.text)])).toEqual(
          values.map((one, index) => [index, null, one]),
        );
      }),
    );
  });

  it('that follow each other are split, with the line where each begins', () => {
    fc.assert(
      fc.property(fc.array(value, { minLength: 1 }), lengths, (values, cuts) => {
        const content = values.map((one) => JSON.stringify(one)).join('\n\n');
        const found = split(new ValueSplitter(), content, cuts);
        expect(found.map((one) => [one.line, JSON.parse(one.text)])).toEqual(
          values.map((one, index) => [2 * index + 1, one]),
        );
      }),
    );
  });

  it('on separate lines are split by line', () => {
    fc.assert(
      fc.property(fc.array(value), lengths, (values, cuts) => {
        const content = values.map((one) => `${JSON.stringify(one)}\r\n`).join('');
        const found = split(new LineSplitter(), content, cuts);
        expect(found.map((one) => [one.line, JSON.parse(one.text)])).toEqual(
          values.map((one, index) => [index + 1, one]),
        );
      }),
    );
  });
});
