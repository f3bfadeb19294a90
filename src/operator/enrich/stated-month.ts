import { foldText } from './creator-input.js';
import { occursIn } from './occurs.js';

/** Languages in which a month is recognised by its name. In others, only a date in numbers states it. */
const LANGUAGES = 'en de fr es pt it nl pl cs sv da nb fi tr ru uk ar he hi id vi th ja ko zh'.split(' ');

/** Names by month. Made when they are needed: it takes milliseconds. */
const names = new Map<number, readonly string[]>();

/** Returns the folded names of a month. Some languages inflect the name beside a day. */
function namesOf(month: number): readonly string[] {
  const date = new Date(Date.UTC(2001, month - 1, 1));
  const found = LANGUAGES.flatMap((language) =>
    (['long', 'short'] as const).flatMap((length) =>
      [{ month: length }, { month: length, day: 'numeric' } as const].flatMap((options) =>
        new Intl.DateTimeFormat(`${language}-u-ca-gregory-nu-latn`, { ...options, timeZone: 'UTC' })
          .formatToParts(date)
          .filter(({ type }) => type === 'month')
          .map(({ value }) => foldText(value)),
      ),
    ),
  );
  return [...new Set(found)].filter((name) => !/^\d+$/.test(name));
}

const NUMERIC_DATE = /\d{1,4}(?:\s?[./-]\s?\d{1,4})+/g;

/** Reports whether a folded text states a month, by its name or in a date such as `3.7.1997`. @param month from 1 */
export function statesMonth(folded: string, month: number): boolean {
  const known = names.get(month) ?? namesOf(month);
  names.set(month, known);
  if (known.some((name) => occursIn(folded, name))) return true;
  return (folded.match(NUMERIC_DATE) ?? []).some((date) =>
    (date.match(/\d+/g) ?? []).some((part) => Number(part) === month),
  );
}
