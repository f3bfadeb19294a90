import type { Snapshot } from './fragment-store.js';

/** Largest gap between two snapshots for which watched minutes are computed. */
const MAX_GAP_MS = 15 * 60_000;

const MINUTE_MS = 60_000;

/** Computes the viewer statistics of a stream; empty without snapshots. */
export function computeViewerStatistics(snapshots: readonly Snapshot[]): Record<string, unknown> {
  const samples = onePerInstant(snapshots);
  if (samples.length === 0) return {};
  const avg = samples.reduce((sum, { viewers }) => sum + viewers, 0) / samples.length;
  const max = samples.reduce((most, { viewers }) => Math.max(most, viewers), 0);
  const minutes = watchedMinutes(samples);
  return { viewers: { avg, max }, ...(minutes === null ? {} : { watched_minutes: { sum: minutes } }) };
}

/** Sums viewers times the minutes to the next snapshot; null for a single snapshot or after a gap that is too large. */
function watchedMinutes(samples: readonly Snapshot[]): number | null {
  if (samples.length < 2) return null;
  let sum = 0;
  for (const [index, { at, viewers }] of samples.entries()) {
    const next = samples[index + 1];
    if (next === undefined) continue;
    if (next.at - at > MAX_GAP_MS) return null;
    sum += (viewers * (next.at - at)) / MINUTE_MS;
  }
  return Math.round(sum);
}

/** Keeps of several snapshots at the same time the one with the most viewers. */
const onePerInstant = (snapshots: readonly Snapshot[]): Snapshot[] =>
  snapshots.filter(({ at }, index) => at !== snapshots[index + 1]?.at);

/** Converts the duration of a stream to minutes on air. */
export const toAirtimeMinutes = (durationMs: number): number => Math.round(durationMs / MINUTE_MS);

/** Merges two lists of snapshots without duplicates, sorted by time. */
export function mergeSnapshots(a: readonly Snapshot[], b: readonly Snapshot[]): Snapshot[] {
  const all = new Map<string, Snapshot>();
  for (const snapshot of [...a, ...b])
    all.set(JSON.stringify([snapshot.at, snapshot.viewers, snapshot.game?.id ?? '']), snapshot);
  return [...all.values()].sort(
    (left, right) => left.at - right.at || left.viewers - right.viewers || compareIds(left, right),
  );
}

function compareIds({ game: a }: Snapshot, { game: b }: Snapshot): number {
  const [left, right] = [a?.id ?? '', b?.id ?? ''];
  return left < right ? -1 : Number(left > right);
}
