import { describe, expect, it } from '@jest/globals';
import { normalizeText } from './normalize.mjs';

/** Length of the longest row of marks that is not divided. */
const longestRow = (text: string): number =>
  Math.max(...text.split('\u034f').flatMap((part) => (part.match(/\p{M}+/gu) ?? []).map(({ length }) => length)));

describe('normalizeText', () => {
  it.each(['NFC', 'NFKC', 'NFKD'] as const)(
    '%s: returns what String.normalize returns for texts of languages',
    (form) => {
      for (const text of ['', 'Zoë Ünal', 'e\u0301\u0323', '한국어', 'किताबें', 'ﷺ', `x${'\u0301'.repeat(30)}`]) {
        expect(normalizeText(text, form)).toBe(text.normalize(form));
      }
    },
  );

  it.each(['\u0301\u0327', '\uff9e\u0334'])(
    'divides rows of %j, which String.normalize would sort in quadratic time',
    (marks) => {
      const text = `a${marks.repeat(1000)}`;
      expect(longestRow(text.normalize('NFKD'))).toBe(2000);
      expect(longestRow(normalizeText(text, 'NFKD'))).toBe(30);
    },
  );

  it('normalizes equal texts equally, also those with long rows', () => {
    const marks = '\u0301\u0327'.repeat(100);
    expect(normalizeText(normalizeText(`e${marks}`, 'NFC'), 'NFC')).toBe(normalizeText(`e${marks}`, 'NFC'));
  });
});
