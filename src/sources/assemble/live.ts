import type { Snapshot } from './join.js';

/** Looks further apart than this say too little about the minutes between them. */
const FURTHEST_APART_MS = 15 * 60_000;

const MINUTE_MS = 60_000;

/** What looks at a live stream say about its viewers; nothing without any. */
export function viewersOf(snapshots: readonly Snapshot[]): Record<string, unknown> {
  const looks = oneATime(snapshots);
  if (looks.length === 0) return {};
  const avg = looks.reduce((sum, { viewers }) => sum + viewers, 0) / looks.length;
  const max = looks.reduce((most, { viewers }) => Math.max(most, viewers), 0);
  const watched = watchedMinutes(looks);
  return { viewers: { avg, max }, ...(watched === null ? {} : { watched_minutes: { sum: watched } }) };
}

/** Viewers times the minutes to the next look; null if there is no next one, or one came too late. */
function watchedMinutes(looks: readonly Snapshot[]): number | null {
  if (looks.length < 2) return null;
  let sum = 0;
  for (const [index, { at, viewers }] of looks.entries()) {
    const next = looks[index + 1];
    if (next === undefined) continue;
    if (next.at - at > FURTHEST_APART_MS) return null;
    sum += (viewers * (next.at - at)) / MINUTE_MS;
  }
  return Math.round(sum);
}

/** Of several looks at the same moment the one with the most viewers. */
const oneATime = (snapshots: readonly Snapshot[]): Snapshot[] =>
  snapshots.filter(({ at }, index) => at !== snapshots[index + 1]?.at);

/** Minutes on air of a stream that lasted so long. */
export const airtimeMinutes = (durationMs: number): number => Math.round(durationMs / MINUTE_MS);

/** Looks from two places, each once, by time. */
export function unionOf(a: readonly Snapshot[], b: readonly Snapshot[]): Snapshot[] {
  const all = new Map<string, Snapshot>();
  for (const look of [...a, ...b]) all.set(JSON.stringify([look.at, look.viewers, look.game?.id ?? '']), look);
  return [...all.values()].sort(
    (left, right) => left.at - right.at || left.viewers - right.viewers || compareIds(left, right),
  );
}

function compareIds({ game: a }: Snapshot, { game: b }: Snapshot): number {
  const [left, right] = [a?.id ?? '', b?.id ?? ''];
  return left < right ? -1 : Number(left > right);
}
