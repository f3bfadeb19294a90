import { Table, type MigrationInterface, type QueryRunner } from 'typeorm';

/** Creates the tables of `enrich analysis`: provenance of its records, journal of its calls, and ledger of its runs. */
export class CreateEnrichment1764302401000 implements MigrationInterface {
  readonly name = 'CreateEnrichment1764302401000';

  async up(runner: QueryRunner): Promise<void> {
    const mysql = runner.connection.options.type === 'mysql';
    const bytes = (length: number) => (mysql ? { type: 'varbinary', length: String(length) } : { type: 'text' });
    const document = mysql ? { type: 'mediumtext', charset: 'utf8mb4', collation: 'utf8mb4_bin' } : { type: 'text' };
    await runner.createTable(
      new Table({
        name: 'analysis_provenance',
        columns: [
          { name: 'platform', type: 'tinyint', isPrimary: true },
          { name: 'profile_id', ...bytes(255), isPrimary: true },
          { name: 'model', ...bytes(255) },
          { name: 'document', ...document },
        ],
      }),
    );
    await runner.createTable(
      new Table({
        name: 'enrichment_journal',
        columns: [
          { name: 'hash', ...bytes(64), isPrimary: true },
          { name: 'platform', type: 'tinyint' },
          { name: 'profile_id', ...bytes(255) },
          { name: 'state', type: 'tinyint' },
          { name: 'input_tokens', type: 'bigint' },
          { name: 'output_tokens', type: 'bigint' },
          { name: 'changed_at', type: 'bigint' },
          { name: 'reason', ...document, isNullable: true },
          { name: 'document', ...document, isNullable: true },
        ],
        indices: [{ name: 'enrichment_journal_by_owner', columnNames: ['platform', 'profile_id'] }],
      }),
    );
    await runner.createTable(
      new Table({
        name: 'enrichment_runs',
        columns: [
          { name: 'id', ...bytes(32), isPrimary: true },
          { name: 'started_at', type: 'bigint' },
          { name: 'ended_at', type: 'bigint' },
          { name: 'document', ...document },
        ],
      }),
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['enrichment_runs', 'enrichment_journal', 'analysis_provenance']) await runner.dropTable(table);
  }
}
