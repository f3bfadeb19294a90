import { Argument, type Command } from 'commander';
import { EnrichmentJournalEntity, AnalysisProvenanceEntity } from '../../features/analysis/enrichment.entities.js';
import type { ProvenanceLine } from '../../features/analysis/provenance.js';
import type { Database } from '../../database/database.js';
import { PLATFORMS, platformCode, type Platform } from '../../model/platforms.js';
import { parsePlatform } from '../arguments.js';
import type { CommandRunner } from '../command.js';
import { addExamples } from '../help.js';
import { OperatorError } from '../operator-error.js';
import { DONE } from '../output.js';
import { formatTable } from '../table.js';
import { entryOf, JOURNAL_COLUMNS } from './journal.js';

export function addShowCommand(enrich: Command, run: CommandRunner): void {
  const command = enrich
    .command('show')
    .description('Shows how the stored analysis of a creator was made, or why answers were rejected')
    .addArgument(new Argument('<platform>', 'platform of the profile').choices(PLATFORMS).argParser(parsePlatform))
    .argument('<profile_id>', 'ID of the profile')
    .option('--json', 'machine-readable result')
    .action((platform: Platform, profileId: string, _options: unknown, command: Command) =>
      run(
        command,
        async ({ database, output }) => {
          const provenance = await findProvenance(database, platform, profileId);
          const rejections = await findRejections(database, platform, profileId);
          if (provenance === null && rejections.length === 0) {
            throw new OperatorError(
              'not_found',
              `no model has made an analysis of ${platform} ${profileId}: check platform and ID, or run "creator-data enrich analysis"`,
            );
          }
          const { evidence, ...members } = provenance ?? { evidence: [] };
          const rows = [
            ...Object.entries(members).map(([name, value]) => [name, value === null ? '' : String(value)]),
            ...evidence.map(({ member, quote }) => [`evidence of ${member}`, quote]),
            ...rejections.map(({ at, reason }) => [`rejected ${at}`, reason]),
          ];
          output.printResult(
            { platform_id: platform, profile_id: profileId, provenance, rejections },
            formatTable(['MEMBER', 'VALUE'], rows),
          );
          return DONE;
        },
        'existing',
      ),
    );
  addExamples(command, 'enrich show live_platform 10001');
}

async function findProvenance(
  database: Database,
  platform: Platform,
  profileId: string,
): Promise<ProvenanceLine | null> {
  const byId = {
    entity: AnalysisProvenanceEntity,
    group: 'platform',
    id: 'profile_id',
    columns: ['document'],
  } as const;
  const [row] = await database.findMany(database.lookup(byId), platformCode(platform), [profileId], {
    source: 'primary',
  });
  return row === undefined ? null : (JSON.parse(String(row.document)) as ProvenanceLine);
}

/** Finds the inputs about a creator whose answers were rejected, the newest first. */
async function findRejections(database: Database, platform: Platform, profileId: string) {
  const columns = JOURNAL_COLUMNS;
  const byId = { entity: EnrichmentJournalEntity, group: 'platform', id: 'profile_id', columns } as const;
  const rows = await database.findMany(database.lookup(byId), platformCode(platform), [profileId], {
    source: 'primary',
  });
  return rows
    .map(entryOf)
    .filter(({ state }) => state === 'rejected')
    .sort((a, b) => b.changedAt - a.changedAt)
    .map(({ changedAt, reason }) => ({ at: new Date(changedAt).toISOString(), reason: reason ?? '' }));
}
