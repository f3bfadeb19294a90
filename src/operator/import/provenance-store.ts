import { analysisSourceCode, CreatorAnalysisEntity } from '../../features/analysis/analysis.entities.js';
import { AnalysisProvenanceEntity, EnrichmentJournalEntity } from '../../features/analysis/enrichment.entities.js';
import type { ProvenanceLine } from '../../features/analysis/provenance.js';
import type { Reader, Writer } from '../../database/database.js';
import type { Stored } from '../../database/statements.js';
import { platformCode } from '../../model/platforms.js';
import { joinKey, NO_RELATED_ROWS, rowsOf, type RecordStore } from './record-store.js';

export type ProvenanceRow = Stored<AnalysisProvenanceEntity>;

/** Key of a creator's rows. */
interface Owner {
  readonly platform: number;
  readonly profile_id: string;
}

const OWNER = ['platform', 'profile_id'] as const;

const NO_ANALYSIS = 'no analysis of this creator is stored: import its analysis first';

const keyOf = ({ platform, profile_id }: Owner): string => joinKey(platform, profile_id);

/** Converts a record to its row. */
export const provenanceRow = (line: ProvenanceLine, document = JSON.stringify(line)): ProvenanceRow => ({
  platform: platformCode(line.platform_id),
  profile_id: line.profile_id,
  model: line.model,
  document,
});

/** Store of provenance. It belongs to a stored analysis, so import analyses first. */
export const provenanceStore: RecordStore<ProvenanceLine, ProvenanceRow, never> = {
  prepare: (line, document) => ({ row: provenanceRow(line, document), related: NO_RELATED_ROWS }),
  identityOf: keyOf,
  creatorsOf: ({ row }) => [{ platform: row.platform, profileId: row.profile_id }],
  findProblems: async (reader, rows) => {
    const stored = new Set((await findAnalyses(reader, rows)).map(keyOf));
    return rows.map((row) => (stored.has(keyOf(row)) ? null : NO_ANALYSIS));
  },
  write: async (writer, records) => {
    const rows = rowsOf(records);
    const analyses = await findAnalyses(writer, rows);
    const source = analysisSourceCode('model');
    await writer.upsert(
      CreatorAnalysisEntity,
      analyses.map(({ document, ...row }) => ({ ...row, document: String(document), source })),
    );
    await writer.upsert(AnalysisProvenanceEntity, rows);
  },
};

async function findAnalyses(reader: Reader, owners: readonly Owner[]) {
  const columns = [...OWNER, 'updated_at', 'document', 'revision', 'changed_at'] as const;
  const byId = reader.lookup({ entity: CreatorAnalysisEntity, group: 'platform', id: 'profile_id', columns });
  const found = [];
  for (const platform of new Set(owners.map((owner) => owner.platform))) {
    const ids = owners.filter((owner) => owner.platform === platform).map(({ profile_id }) => profile_id);
    const rows = await reader.findMany(byId, platform, ids);
    found.push(...rows.map((row) => ({ ...row, profile_id: String(row.profile_id) })));
  }
  return found;
}

/** Removes the provenance of analyses that an import replaces, or that are removed. */
export async function removeProvenance(writer: Writer, owners: readonly Owner[]): Promise<void> {
  const any = { entity: AnalysisProvenanceEntity, filters: [], keys: OWNER, columns: [] } as const;
  // Few stores have any, and a read is cheaper than a DELETE.
  if (owners.length === 0 || !(await writer.has(writer.list(any)))) return;
  await writer.remove(
    AnalysisProvenanceEntity,
    OWNER,
    owners.map(({ platform, profile_id }) => ({ platform, profile_id })),
  );
}

/** Removes what `enrich analysis` stored about creators beside their analyses. */
export async function removeEnrichment(writer: Writer, owners: readonly Owner[]): Promise<void> {
  await writer.remove(AnalysisProvenanceEntity, OWNER, owners);
  await writer.remove(EnrichmentJournalEntity, OWNER, owners);
}
