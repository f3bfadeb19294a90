import type { KeyTerms } from './api-keys.js';

const formatDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** Describes month allowances, such as `100,000 units, 5,000 credits`. */
export function formatAllowance({
  month_units,
  month_credits,
}: Pick<KeyTerms, 'month_units' | 'month_credits'>): string {
  const parts = [
    ...(month_units === null ? [] : [`${Number(month_units).toLocaleString('en')} units`]),
    ...(month_credits === null ? [] : [`${Number(month_credits).toLocaleString('en')} credits`]),
  ];
  return parts.join(', ') || 'none';
}

/** Describes an expiry as the predicate of a sentence. */
export function formatExpiry(expiresAt: number | null, now: number): string {
  if (expiresAt === null) return 'does not expire';
  return expiresAt <= now ? `expired on ${formatDay(expiresAt)}` : `is rejected from ${formatDay(expiresAt)} (UTC) on`;
}
