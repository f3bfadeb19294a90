import type { UsageLine } from './usage-line.js';

export type UsageSums = Pick<UsageLine, 'requests' | 'quota_units' | 'credits'>;

/** Sums usage lines. */
export function sumUsage(lines: readonly UsageSums[]): UsageSums {
  const sum = (member: keyof UsageSums) => lines.reduce((total, line) => total + line[member], 0);
  return { requests: sum('requests'), quota_units: sum('quota_units'), credits: sum('credits') };
}
