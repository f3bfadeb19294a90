import type * as z from 'zod';
import {
  count,
  id,
  instant,
  isoDuration,
  letterDuration,
  roundedCount,
  secondsDuration,
  shortcodeTime,
  text,
  booleanOrText,
  unixMillis,
  unixSeconds,
} from '../reading/member-schemas.js';
import { unescapeEntities } from '../x/text.js';

/** Readings of a cell by kind of value. The first of each kind is the default. */
const READINGS = {
  id: { id },
  text: { text, 'escaped-text': text.transform((escaped) => escaped && unescapeEntities(escaped)) },
  count: { count, 'rounded-count': roundedCount },
  truth: { truth: booleanOrText },
  instant: { instant, 'unix-seconds': unixSeconds, 'unix-milliseconds': unixMillis, 'instagram-code': shortcodeTime },
  duration: { seconds: secondsDuration, iso: isoDuration, letters: letterDuration },
};

export type ValueKind = keyof typeof READINGS;

type Reading = z.ZodType<string | number | boolean | null | undefined>;

/** Returns the readings of a kind of value, by their names in a mapping. */
export const readingsOf = (held: ValueKind): Readonly<Record<string, Reading>> => READINGS[held];
