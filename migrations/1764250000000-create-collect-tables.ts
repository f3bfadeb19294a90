import { Table, type MigrationInterface, type QueryRunner } from 'typeorm';

/** Creates the tables of `collect`: its ledger of calls and units, and what it knows of each watched creator. */
export class CreateCollectTables1764250000000 implements MigrationInterface {
  readonly name = 'CreateCollectTables1764250000000';

  async up(runner: QueryRunner): Promise<void> {
    const mysql = runner.connection.options.type === 'mysql';
    const id = mysql ? { type: 'varbinary', length: '255' } : { type: 'text' };
    await runner.createTable(
      new Table({
        name: 'collect_days',
        columns: [
          { name: 'source', type: 'tinyint', isPrimary: true },
          { name: 'day', type: mysql ? 'int' : 'integer', isPrimary: true },
          { name: 'calls', type: 'bigint', default: 0 },
          { name: 'units', type: 'bigint', default: 0 },
          { name: 'next_at', type: 'bigint', default: 0 },
        ],
      }),
    );
    await runner.createTable(
      new Table({
        name: 'collect_targets',
        columns: [
          { name: 'source', type: 'tinyint', isPrimary: true },
          { name: 'target', ...id, isPrimary: true },
          { name: 'profile_id', ...id, isNullable: true },
          {
            name: 'document',
            ...(mysql ? { type: 'mediumtext', charset: 'utf8mb4', collation: 'utf8mb4_bin' } : { type: 'text' }),
          },
        ],
        indices: [{ name: 'collect_targets_by_profile', columnNames: ['source', 'profile_id'] }],
      }),
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('collect_targets');
    await runner.dropTable('collect_days');
  }
}
