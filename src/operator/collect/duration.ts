const MINUTE_MS = 60_000;

const UNITS_MS: Readonly<Record<string, number>> = { m: MINUTE_MS, h: 60 * MINUTE_MS, d: 1440 * MINUTE_MS };

const MIN_MS = 10 * MINUTE_MS;
const MAX_MS = 365 * 1440 * MINUTE_MS;

/** What `parseDuration` accepts, for messages. */
export const DURATION_RULE = 'must be a duration from 10m to 365d, such as 6h or 1d';

/** Parses a duration such as `6h`. @returns milliseconds; null for text that `DURATION_RULE` excludes */
export function parseDuration(text: string): number | null {
  const [, number, unit] = /^(\d{1,5})([mhd])$/.exec(text) ?? [];
  const ms = Number(number) * (UNITS_MS[unit ?? ''] ?? NaN);
  return ms >= MIN_MS && ms <= MAX_MS ? ms : null;
}

/** Formats a duration for people: `45 s`, `12 min`, `3.5 h` or `2.1 d`. */
export function formatDuration(ms: number): string {
  if (ms < MINUTE_MS) return `${Math.ceil(ms / 1000)} s`;
  if (ms < 60 * MINUTE_MS) return `${Math.round(ms / MINUTE_MS)} min`;
  if (ms < 1440 * MINUTE_MS) return `${(ms / 3_600_000).toFixed(1)} h`;
  return `${(ms / 86_400_000).toFixed(1)} d`;
}
