import type { z } from 'zod';
import {
  count,
  id,
  instant,
  isoDuration,
  letterDuration,
  roundedCount,
  secondsLong,
  shortcodeTime,
  text,
  truth,
  unixMillis,
  unixSeconds,
} from '../reading/members.js';
import { unescaped } from '../x/text.js';

/** Readings of a cell by kind of value. The first of each kind is the default. */
const READINGS = {
  id: { id },
  text: { text, 'escaped-text': text.transform((escaped) => escaped && unescaped(escaped)) },
  count: { count, 'rounded-count': roundedCount },
  truth: { truth },
  instant: { instant, 'unix-seconds': unixSeconds, 'unix-milliseconds': unixMillis, 'instagram-code': shortcodeTime },
  duration: { seconds: secondsLong, iso: isoDuration, letters: letterDuration },
};

export type Held = keyof typeof READINGS;

type Reading = z.ZodType<string | number | boolean | null | undefined>;

/** Returns the readings of a kind of value, by their names in a mapping. */
export const readingsOf = (held: Held): Readonly<Record<string, Reading>> => READINGS[held];
