import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { importKindOf } from '../../support/records/import-kinds.js';
import { parseLine } from '../../../src/operator/import/parse-line.js';
import { documents } from '../../support/sources/fragments.js';
import { toNdjson, normalize } from '../../support/sources/sources.js';

const RUNS = { numRuns: 100 };

/** Documents, their order, and the index at which to split them into two files. */
const shuffled = documents.chain((given) =>
  fc.record({
    given: fc.constant(given),
    order: fc.shuffledSubarray(given, { minLength: given.length, maxLength: given.length }),
    cut: fc.nat(given.length),
  }),
);

describe('normalize', () => {
  it('writes the same bytes for any order of documents and files', async () => {
    await fc.assert(
      fc.asyncProperty(shuffled, async ({ given, order, cut }) => {
        const one = await normalize({ 'a.ndjson': toNdjson(...given) });
        const other = await normalize({
          'b.ndjson': toNdjson(...order.slice(cut)),
          'a.ndjson': toNdjson(...order.slice(0, cut)),
        });
        expect(other.files).toEqual(one.files);
      }),
      RUNS,
    );
  });

  it('writes the same bytes for duplicated documents', async () => {
    await fc.assert(
      fc.asyncProperty(documents, async (given) => {
        const once = await normalize({ 'a.ndjson': toNdjson(...given) });
        const twice = await normalize({ 'a.ndjson': toNdjson(...given, ...given), 'b.ndjson': toNdjson(...given) });
        expect(twice.files).toEqual(once.files);
      }),
      RUNS,
    );
  });

  it('writes lines that the import accepts unchanged', async () => {
    await fc.assert(
      fc.asyncProperty(documents, async (given) => {
        const { files, rejected } = await normalize({ 'a.ndjson': toNdjson(...given) });
        expect(rejected).toEqual([]);
        for (const [name, text] of Object.entries(files)) {
          const kind = importKindOf(name.replace('.ndjson', ''));
          for (const line of text.split('\n').filter((one) => one !== '')) {
            const parsed = parseLine(kind, line);
            expect('record' in parsed ? JSON.stringify(parsed.record) : parsed.reason).toBe(line);
          }
        }
      }),
      RUNS,
    );
  });
});
