import { expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../files/project-root.js';

/** An example of a README, and the output that it shows. */
export interface ReadmeExample {
  readonly code: string;
  readonly printed: string;
  readonly title: string;
}

/** Reads the examples of a README. @param language name of its code blocks */
export function readmeExamples(file: string, language: string): ReadmeExample[] {
  const text = readFileSync(join(ROOT, file), 'utf8');
  const blocks = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`\\n(?:\\n\`\`\`text\\n(.*?)^\`\`\`)?`, 'gms');
  return [...text.matchAll(blocks)].map(([, code = '', printed = '']) => ({
    code,
    printed,
    title: code.split('\n').find((line) => line.includes('client.')) ?? '',
  }));
}

/** Printed between the examples, to separate their outputs. */
const MARK = '--- next example ---';

/** Joins examples to one program. @param print returns the statement that prints a text */
export const programOf = (examples: readonly ReadmeExample[], print: (text: string) => string): string =>
  examples.map(({ code }) => `${code}${print(MARK)}\n`).join('\n');

/** Splits the output of the program by example. */
export const outputsOf = (printed: string): string[] => printed.split(`${MARK}\n`).slice(0, -1);

/** Declares the tests that a README shows what its examples print. @param printed returns the output of each example */
export function itShowsWhatIsPrinted(examples: readonly ReadmeExample[], printed: () => readonly string[]): void {
  it('has a README that shows the output of every example', () => {
    expect(examples.length).toBeGreaterThan(6);
    expect(examples.filter(({ printed: shown }) => shown === '')).toEqual([]);
    expect(printed()).toHaveLength(examples.length);
  });

  it.each(examples.map((example, index) => ({ ...example, index })))(
    'prints what its README shows: $title',
    (example) => {
      expect(printed()[example.index]).toBe(example.printed);
    },
  );
}
