import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { describe, expect, it, jest } from '@jest/globals';
import { check, type AttackPattern } from 'recheck';
import { fold } from '../../../src/features/games/search-words.mjs';
import { foldHandle } from '../../../src/features/profiles/handle.js';
import { countryPattern } from '../../../src/operator/enrich/country-names.js';
import { statesCountry } from '../../../src/operator/enrich/stated-country.js';
import { statesDate } from '../../../src/operator/enrich/stated-month.js';
import { RouteTable } from '../../../src/http/route-table.js';
import { findPageLinks } from '../../../src/sources/reading/page-links.js';
import { parseJson } from '../../../src/sources/container/json-text.js';
import { parseMapping } from '../../../src/sources/csv/mapping.js';
import { ROOT } from '../../support/files/project-root.js';
import { expressionsOfSource, type Expression } from '../../support/files/regular-expressions.js';

/** Time to load the analyser and check a hundred expressions, on a busy machine. */
const ANALYSIS_MS = 900_000;

/** A mebibyte takes milliseconds in linear time, and an hour in quadratic time. */
const MEBIBYTE = 1024 * 1024;

/** Between linear and quadratic time, also on a busy machine. */
const LIMIT_MS = 30_000;

/** Characters of a text for patterns of hundreds of names. Linear time takes less than a second, quadratic time minutes. */
const ROW = 128 * 1024;

/** Runs synchronous code. @throws Error if it exceeds the time limit */
const withinLimit = <T>(work: () => T): T => runInNewContext('work()', { work }, { timeout: LIMIT_MS }) as T;

const COUNTRIES = ['AE', 'CZ', 'TW', 'US'];

// Made now, so that they are not among those that the analyser gets.
for (const code of COUNTRIES) countryPattern(code);

/** Code that creates regular expressions at run time, by file; each runs it with all its real inputs. */
const MAKERS: Readonly<Record<string, (() => void) | null>> = {
  'src/features/games/search-words.mjs': () => {
    jest.isolateModules(() => void jest.requireActual('../../../src/features/games/search-words.mjs'));
  },
  'src/http/route-table.ts': () => {
    const table = new RouteTable();
    const { paths } = JSON.parse(readFileSync(join(ROOT, 'docs/openapi.json'), 'utf8')) as { paths: object };
    for (const path of Object.keys(paths)) table.add('get', path);
  },
  // Attacked below: they have more names than the analyser can take.
  'src/operator/enrich/country-names.ts': null,
  'src/operator/enrich/special-categories.ts': () => {
    jest.isolateModules(() => void jest.requireActual('../../../src/operator/enrich/special-categories.js'));
  },
  'src/operator/enrich/stated-age.ts': () => {
    jest.isolateModules(() => void jest.requireActual('../../../src/operator/enrich/stated-age.js'));
  },
  'src/operator/enrich/stated-country.ts': () => {
    for (const code of COUNTRIES) statesCountry('x', code);
  },
  'src/operator/enrich/stated-month.ts': () => {
    // The patterns of the months are attacked below, too.
    jest.isolateModules(() => void jest.requireActual('../../../src/operator/enrich/stated-month.js'));
  },
  'src/operator/terminal.ts': () => {
    jest.isolateModules(() => void jest.requireActual('../../../src/operator/terminal.js'));
  },
  'src/sources/csv/mapping.ts': () => {
    const folder = join(ROOT, 'docs/mappings');
    for (const name of readdirSync(folder))
      expect(typeof parseMapping(readFileSync(join(folder, name), 'utf8'))).toBe('object');
  },
};

/** Records the regular expressions that a piece of code creates. */
function madeBy(code: () => void): Omit<Expression, 'place'>[] {
  const made: Omit<Expression, 'place'>[] = [];
  const Original = globalThis.RegExp;
  globalThis.RegExp = class extends Original {
    constructor(pattern: RegExp | string, flags?: string) {
      super(pattern, flags);
      made.push({ source: this.source, flags: this.flags });
    }
  } as RegExpConstructor;
  try {
    code();
  } finally {
    globalThis.RegExp = Original;
  }
  return made;
}

/** Reports whether an expression reads a mebibyte of an attack within the time limit. */
function withstands(expression: RegExp, { pumps, suffix }: AttackPattern): boolean {
  const parts = pumps.map(
    ({ prefix, pump }) => prefix + pump.repeat(Math.ceil(MEBIBYTE / pumps.length / Math.max(1, pump.length))),
  );
  try {
    withinLimit(() => expression.exec(parts.join('') + suffix));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return false;
    throw error;
  }
}

/** Lists the expressions whose time is not linear in the length of the text, with the reason. */
async function problemsOf(expressions: readonly Expression[]): Promise<string[]> {
  const problems: string[] = [];
  for (const { place, source, flags } of expressions) {
    // No time limit: a result must not depend on how busy the machine is.
    const verdict = await check(source, flags, { timeout: null });
    if (verdict.status === 'safe') continue;
    // The fuzzer guesses by its own clock, so a busy machine makes it find attacks that are none.
    if (
      verdict.status === 'vulnerable' &&
      verdict.checker === 'fuzz' &&
      withstands(new RegExp(source, flags), verdict.attack)
    )
      continue;
    const why =
      verdict.status === 'vulnerable' ? `${verdict.complexity.summary}: ${verdict.attack.pattern}` : 'unknown';
    problems.push(`${place} /${source}/${flags} ${why}`);
  }
  return problems;
}

describe('regular expressions', () => {
  const { known, makers } = expressionsOfSource();

  it('are all found in the source', () => {
    const places = known.map(({ place, source }) => `${place.split(':')[0]} ${source}`);
    expect(places).toContain('src/features/auth/key-format.ts ^(?:cdk_|cdk_test_)[0-9a-f]{52}$');
    expect(places).toContain(String.raw`src/model/calendar-date.ts ^\d{4}-\d{2}-\d{2}$`);
    expect(known.length).toBeGreaterThan(100);
    expect(makers).toEqual(Object.keys(MAKERS));
  });

  it(
    'take time linear in the length of the text',
    async () => {
      expect(await problemsOf(known)).toEqual([]);
    },
    ANALYSIS_MS,
  );

  it.each(Object.entries(MAKERS).flatMap(([place, code]) => (code === null ? [] : [[place, code] as const])))(
    'built by %s take time linear in the length of the text',
    async (place, code) => {
      const made = madeBy(code);
      expect(made).not.toEqual([]);
      expect(await problemsOf(made.map((expression) => ({ place, ...expression })))).toEqual([]);
    },
    ANALYSIS_MS,
  );

  it.each([
    ['automaton', '[.!?]+$'],
    ['fuzzer', '(?<!y)x+$'],
  ])('of quadratic time are detected by the %s', async (_checker, source) => {
    const slow = { place: 'here', source, flags: '' };
    expect(await problemsOf([slow])).toEqual([expect.stringContaining('2nd degree polynomial')]);
  });

  it('find links in a megabyte of dots', () => {
    const dots = '.'.repeat(MEBIBYTE);
    const text = `see https://twitch.tv/somebody${dots}x and https://x.com/other${dots}`;
    expect(withinLimit(() => findPageLinks(text))).toEqual([
      `https://twitch.tv/somebody${dots}x`,
      'https://x.com/other',
    ]);
  });

  it('divide a megabyte of accents, so that handles, names and queries are normalized in linear time', () => {
    const accents = `a${'\u0301\u0327'.repeat(MEBIBYTE / 2)}`;
    expect(withinLimit(() => [foldHandle(accents), fold(accents)])).toEqual([expect.any(String), 'a']);
    const files = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' });
    const normalizing = files.filter(
      (file) =>
        /\.m?[jt]s$/.test(file) &&
        !file.endsWith('.spec.ts') &&
        /\.normalize\(['\w]/.test(readFileSync(join(ROOT, 'src', file), 'utf8')),
    );
    expect(normalizing).toEqual(['model/normalize.mjs']);
  });

  it.each(COUNTRIES)(
    'find the country %s in a row of what its names begin with, and of what separates them',
    (code) => {
      const pattern = countryPattern(code);
      const names = ['en', 'cs', 'ru', 'zh'].map((language) =>
        String(new Intl.DisplayNames(language, { type: 'region' }).of(code)).toLowerCase(),
      );
      for (const pump of [
        ...names.flatMap((name) => [name.slice(0, -1), `${name.slice(0, 4)} `]),
        ' ',
        'a',
        'я',
        '-',
      ]) {
        const text = pump.repeat(Math.ceil(ROW / pump.length));
        expect(typeof withinLimit(() => pattern.test(text))).toBe('boolean');
      }
    },
  );

  it('find a month in a row of its names, and of what separates them', () => {
    for (const month of [1, 5, 9]) {
      const name = new Date(2000, month - 1).toLocaleString('en', { month: 'long' }).toLowerCase();
      for (const pump of [name, name.slice(0, -1), `${name} `, ' ', '1 ', 'a', `${month}月`]) {
        const text = pump.repeat(Math.ceil(ROW / pump.length));
        expect(withinLimit(() => statesDate(text, { day: 1, month, year: 2000 }))).toBe(false);
      }
    }
  });

  it('find large integers in an unterminated text', () => {
    const text = `{"id": 12345678901234567890, "name": "${'\\"'.repeat(MEBIBYTE)}`;
    expect(() => withinLimit(() => parseJson(text))).toThrow(SyntaxError);
  });
});
