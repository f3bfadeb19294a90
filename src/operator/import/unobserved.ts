import { CounterEntity } from '../../database/counter.entity.js';
import { readCounters } from '../../database/counters.js';
import type { Writer } from '../../database/database.js';

/** Counter with a revision of profiles. The observations of profiles that changed later are stored; those of others may be missing:
 * days were purged, or the profile was stored before histories were kept. */
const UNOBSERVED_COUNTER = 'unobserved_profiles_revision';

/** Records that observations of profiles may be missing up to a revision. */
export function markUnobserved(writer: Writer, revision: number): Promise<unknown> {
  return writer.upsert(CounterEntity, [{ name: UNOBSERVED_COUNTER, value: revision }], { keepHighest: 'value' });
}

/** Selects the unchanged profiles whose observation may be missing. Without this, loading the same bytes again would write. */
export async function selectUnobserved<R>(
  writer: Writer,
  unchanged: readonly { readonly record: R; readonly version: { readonly revision: number } }[],
): Promise<R[]> {
  if (unchanged.length === 0) return [];
  const [last = 0] = await readCounters(writer, UNOBSERVED_COUNTER);
  return unchanged.filter(({ version }) => version.revision <= last).map(({ record }) => record);
}
