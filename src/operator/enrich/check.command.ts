import type { Command } from 'commander';
import type { Database } from '../../database/database.js';
import { CreatorAnalysisEntity } from '../../features/analysis/analysis.entities.js';
import type { CreatorAnalysis } from '../../features/analysis/creator-analysis.js';
import { AnalysisProvenanceEntity } from '../../features/analysis/enrichment.entities.js';
import { platformCode } from '../../model/platforms.js';
import type { CommandRunner } from '../command.js';
import { countOf } from '../../model/counts.js';
import { addExamples } from '../help.js';
import { LineReader } from '../import/line-reader.js';
import { parseLine } from '../import/parse-line.js';
import { requireReadableFiles } from '../input-files.js';
import { OperatorError } from '../operator-error.js';
import { DONE, SOMETHING_REJECTED } from '../output.js';
import { formatTable } from '../table.js';
import { Agreements } from './agreement.js';

export function addCheckCommand(enrich: Command, run: CommandRunner): void {
  const command = enrich
    .command('check')
    .description('Compares analyses that a model made with analyses made by hand, and prints the agreement by member')
    .argument('<file>', 'lines of an "import analysis"; - is standard input, .gz is decompressed')
    .option('--json', 'machine-readable result')
    .action(async (file: string, _options: unknown, command: Command) => {
      await requireReadableFiles([file]);
      await run(
        command,
        async ({ database, output }) => {
          const { agreements, compared, missing, rejected } = await compareFile(database, file);
          if (compared === 0) {
            throw new OperatorError(
              'not_found',
              `${file} has no analysis of a creator whose stored one a model made (${countOf(rejected.length, 'invalid line')})`,
            );
          }
          const members = agreements.list();
          const rows = members.map(({ member, agreement, invented, not_given }) => [
            member,
            `${Math.round(agreement * 100)} %`,
            not_given === 0 ? '' : `${invented} of ${not_given}`,
          ]);
          output.printResult({ compared, missing, rejected, members }, [
            `Compared ${countOf(compared, 'analysis', 'analyses')}; ${countOf(missing, 'creator')} without one that a model made.`,
            ...rejected.map(({ line, reason }) => `line ${line}: ${reason}`),
            ...formatTable(['MEMBER', 'AGREEMENT', 'GIVEN ONLY BY THE MODEL'], rows),
          ]);
          return rejected.length > 0 ? SOMETHING_REJECTED : DONE;
        },
        'existing',
      );
    });
  addExamples(command, 'enrich check made-by-hand.ndjson');
}

async function compareFile(database: Database, file: string) {
  const byOwner = { group: 'platform', id: 'profile_id' } as const;
  const analyses = database.lookup({ ...byOwner, entity: CreatorAnalysisEntity, columns: ['document'] });
  const provenances = database.lookup({ ...byOwner, entity: AnalysisProvenanceEntity, columns: [] });
  const agreements = new Agreements();
  const rejected: { readonly line: number; readonly reason: string }[] = [];
  let [compared, missing] = [0, 0];
  const reader = await LineReader.open(file);
  for await (const lines of reader.lines()) {
    for (const { number: line, text, problem } of lines) {
      const parsed = problem === null ? parseLine('analysis', text) : { reason: problem };
      if ('reason' in parsed) {
        rejected.push({ line, reason: parsed.reason });
        continue;
      }
      const { platform_id, profile_id, analysis } = parsed.record;
      const owner = [platformCode(platform_id), [profile_id], { source: 'primary' }] as const;
      const [stored] = await database.findMany(analyses, ...owner);
      // An imported analysis says nothing about the model.
      if (stored === undefined || (await database.findMany(provenances, ...owner)).length === 0) {
        missing += 1;
        continue;
      }
      agreements.add(analysis, JSON.parse(String(stored.document)) as CreatorAnalysis);
      compared += 1;
    }
  }
  return { agreements, compared, missing, rejected };
}
