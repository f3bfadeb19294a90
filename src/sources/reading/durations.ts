const ISO = /^P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/;
const LETTERS = /^(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?$/;

/** Parses an ISO 8601 duration such as `PT1H2M3S` into milliseconds; null if it is invalid. */
export function parseIsoDuration(text: string): number | null {
  const match = ISO.exec(text);
  if (match === null || text === 'P' || text.endsWith('T')) return null;
  const [weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = match.slice(1).map((part) => Number(part ?? 0));
  return toSafeMillis((((weeks * 7 + days) * 24 + hours) * 60 + minutes) * 60 + seconds);
}

/** Parses a duration such as `3h8m33s`, each part optional, into milliseconds; null if it is invalid. */
export function parseLetterDuration(text: string): number | null {
  const match = LETTERS.exec(text);
  if (match === null || text === '') return null;
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = match.slice(1).map((part) => Number(part ?? 0));
  return toSafeMillis(((days * 24 + hours) * 60 + minutes) * 60 + seconds);
}

/** Converts seconds to milliseconds; null for a negative or unsafe number. */
export const secondsToMillis = (seconds: number): number | null => (seconds >= 0 ? toSafeMillis(seconds) : null);

function toSafeMillis(seconds: number): number | null {
  const millis = Math.round(seconds * 1000);
  return Number.isSafeInteger(millis) ? millis : null;
}
