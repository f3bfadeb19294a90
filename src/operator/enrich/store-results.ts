import type { Writer } from '../../database/database.js';
import { analysisSourceCode } from '../../features/analysis/analysis.entities.js';
import type { AnalysisLine } from '../../features/analysis/creator-analysis.js';
import { AnalysisProvenanceEntity, EnrichmentJournalEntity } from '../../features/analysis/enrichment.entities.js';
import type { ProvenanceLine } from '../../features/analysis/provenance.js';
import { ProfileEntity } from '../../features/profiles/profile.entity.js';
import { parseRecord } from '../import/parse-line.js';
import { provenanceRow } from '../import/provenance-store.js';
import type { Creator } from '../import/record-store.js';
import { RECORD_STORES } from '../import/record-stores.js';
import { Revisions } from '../import/revisions.js';
import { findForgotten } from '../import/suppression.js';
import type { JournalRow } from './journal.js';

/** What is stored about a creator after a call. */
export interface CreatorResult {
  readonly creator: Creator;
  readonly journal: JournalRow | null;
  /** The analysis and its provenance; null if the answer is invalid. */
  readonly record: { readonly analysis: AnalysisLine; readonly provenance: ProvenanceLine } | null;
}

/**
 * Stores results in a transaction. An analysis passes the same checks as a line of an import.
 * @returns for each result whether it was stored: nothing is stored about creators who were forgotten or removed meanwhile
 */
export async function storeResults(writer: Writer, results: readonly CreatorResult[]): Promise<boolean[]> {
  if (results.length === 0) return [];
  await writer.lockData();
  const creators = results.map(({ creator }) => creator);
  const isForgotten = await findForgotten(writer, creators);
  const isStored = await findProfiles(writer, creators);
  const isKept = results.map(({ creator }) => isStored(creator) && !isForgotten(creator));
  const kept = results.filter((_, index) => isKept[index]);
  await writer.upsert(
    EnrichmentJournalEntity,
    kept.flatMap(({ journal }) => journal ?? []),
  );
  const records = kept.flatMap(({ record }) => record ?? []);
  if (records.length > 0) {
    await RECORD_STORES.analysis.write(
      writer,
      records.map(({ analysis }) => prepare(analysis)),
      new Revisions(writer),
    );
    await writer.upsert(
      AnalysisProvenanceEntity,
      records.map(({ provenance }) => provenanceRow(provenance)),
    );
  }
  return isKept;
}

function prepare(line: AnalysisLine) {
  const parsed = parseRecord('analysis', line);
  if ('reason' in parsed) throw new Error(`a checked analysis is invalid: ${parsed.reason}`);
  const prepared = RECORD_STORES.analysis.prepare(parsed.record);
  return { ...prepared, row: { ...prepared.row, source: analysisSourceCode('model') } };
}

async function findProfiles(writer: Writer, creators: readonly Creator[]): Promise<(creator: Creator) => boolean> {
  const byId = writer.lookup({ entity: ProfileEntity, group: 'platform', id: 'id', columns: [] });
  const stored = new Set<string>();
  for (const platform of new Set(creators.map((creator) => creator.platform))) {
    const ids = creators.filter((creator) => creator.platform === platform).map(({ profileId }) => profileId);
    for (const { id } of await writer.findMany(byId, platform, ids)) stored.add(`${platform} ${String(id)}`);
  }
  return ({ platform, profileId }) => stored.has(`${platform} ${profileId}`);
}
