import { Table, type MigrationInterface, type QueryRunner } from 'typeorm';

/** Creates the table of deleted records, which feeds of changes report. */
export class CreateDeletedRecords1764151201000 implements MigrationInterface {
  readonly name = 'CreateDeletedRecords1764151201000';

  async up(runner: QueryRunner): Promise<void> {
    const mysql = runner.connection.options.type === 'mysql';
    await runner.createTable(
      new Table({
        name: 'deleted_records',
        withoutRowid: true,
        columns: [
          { name: 'scope', type: 'tinyint', isPrimary: true },
          { name: 'id', ...(mysql ? { type: 'varbinary', length: '255' } : { type: 'text' }), isPrimary: true },
          { name: 'revision', type: 'bigint' },
          { name: 'changed_at', type: 'bigint' },
        ],
        indices: [{ name: 'deleted_records_by_revision', columnNames: ['scope', 'revision', 'id'] }],
      }),
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('deleted_records');
  }
}
