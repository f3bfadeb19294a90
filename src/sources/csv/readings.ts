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

/** How a cell may be read, by what a member holds; the first is meant where nothing is said. */
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

/** The readings of what a member holds, by their words in a mapping. */
export const readingsOf = (held: Held): Readonly<Record<string, Reading>> => READINGS[held];
