const ISO = /^P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/;
const LETTERS = /^(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?$/;

/** Milliseconds of an ISO 8601 duration such as `PT1H2M3S`; null if it is none. */
export function readIsoDuration(text: string): number | null {
  const match = ISO.exec(text);
  if (match === null || text === 'P' || text.endsWith('T')) return null;
  const [weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = match.slice(1).map((part) => Number(part ?? 0));
  return safe((((weeks * 7 + days) * 24 + hours) * 60 + minutes) * 60 + seconds);
}

/** Milliseconds of a duration such as `3h8m33s`, of which any part may be missing; null if it is none. */
export function readLetterDuration(text: string): number | null {
  const match = LETTERS.exec(text);
  if (match === null || text === '') return null;
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = match.slice(1).map((part) => Number(part ?? 0));
  return safe(((days * 24 + hours) * 60 + minutes) * 60 + seconds);
}

/** Milliseconds of a number of seconds; null for what cannot be a length. */
export const millisOfSeconds = (seconds: number): number | null => (seconds >= 0 ? safe(seconds) : null);

function safe(seconds: number): number | null {
  const millis = Math.round(seconds * 1000);
  return Number.isSafeInteger(millis) ? millis : null;
}
