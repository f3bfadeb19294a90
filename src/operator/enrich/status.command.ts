import type { Command } from 'commander';
import type { Database } from '../../database/database.js';
import { AnalysisProvenanceEntity, EnrichmentJournalEntity } from '../../features/analysis/enrichment.entities.js';
import type { CommandRunner } from '../command.js';
import { countOf, formatCount } from '../../model/counts.js';
import { addExamples } from '../help.js';
import { DONE } from '../output.js';
import { formatTable } from '../table.js';
import { costNumber, sumTokens } from './cost.js';
import { STATE_CODES } from './journal.js';
import { isAlive, listRuns, type StoredRun } from './stored-runs.js';

/** Runs that are listed. */
const MAX_RUNS = 10;

export function addStatusCommand(enrich: Command, run: CommandRunner): void {
  const command = enrich
    .command('status')
    .description('Shows the last runs with what they spent and reserved, and the stored analyses by model')
    .option('--json', 'machine-readable result')
    .action((_options: unknown, command: Command) =>
      run(
        command,
        async ({ database, output }) => {
          const runs = (await listRuns(database)).slice(0, MAX_RUNS).map((stored) => describeRun(stored, Date.now()));
          const models = await countByModel(database);
          const rejected = await countRejected(database);
          const head = ['STARTED', 'STATE', 'MODEL', 'MADE', 'REJECTED', 'TOKENS', 'RESERVED', 'COST', 'MAX COST'];
          const rows = runs.map((each) => [
            each.started_at,
            each.state,
            each.model,
            each.counts.made ?? 0,
            each.counts.rejected ?? 0,
            each.tokens,
            each.reserved_tokens,
            String(each.cost),
            each.max_cost === null ? '' : String(each.max_cost),
          ]);
          output.printResult({ runs, models, rejected }, [
            ...formatTable(head, rows),
            '',
            ...formatTable(
              ['MODEL', 'ANALYSES'],
              models.map(({ model, analyses }) => [model, analyses]),
            ),
            '',
            `${countOf(rejected, 'input')} rejected: "enrich show PLATFORM ID" has the reason, --retry-rejected pays again. ` +
              `Runs: ${formatCount(runs.length)} shown.`,
          ]);
          return DONE;
        },
        'existing',
      ),
    );
  addExamples(command, 'enrich status', 'enrich status --json');
}

function describeRun({ startedAt, endedAt, state }: StoredRun, now: number) {
  const unended = isAlive(state, now) ? 'running' : 'interrupted';
  return {
    started_at: new Date(startedAt).toISOString(),
    ended_at: endedAt === 0 ? null : new Date(endedAt).toISOString(),
    state: endedAt === 0 ? unended : 'ended',
    model: state.model,
    counts: state.counts,
    tokens: sumTokens(state.spent),
    cost: costNumber(state.spent_cost),
    reserved_tokens: sumTokens(state.reserved),
    reserved_cost: costNumber(state.reserved_cost),
    max_cost: state.max_cost === null ? null : costNumber(state.max_cost),
    max_tokens: state.max_tokens,
    batches: state.batches.length,
  };
}

async function countByModel({ dataSource }: Database) {
  const rows = await dataSource
    .createQueryBuilder(AnalysisProvenanceEntity, 'made')
    .select('made.model', 'model')
    .addSelect('COUNT(*)', 'analyses')
    .groupBy('made.model')
    .getRawMany<{ model: Buffer | string; analyses: unknown }>();
  return rows
    .map(({ model, analyses }) => ({ model: String(model), analyses: Number(analyses) }))
    .sort((a, b) => b.analyses - a.analyses);
}

const countRejected = ({ dataSource }: Database): Promise<number> =>
  dataSource.getRepository(EnrichmentJournalEntity).countBy({ state: STATE_CODES.rejected });
