import { Table, type MigrationInterface, type QueryRunner } from 'typeorm';

/** Creates the table of times at which records were observed at their sources. */
export class CreateObservations1763800000000 implements MigrationInterface {
  readonly name = 'CreateObservations1763800000000';

  async up(runner: QueryRunner): Promise<void> {
    const mysql = runner.connection.options.type === 'mysql';
    await runner.createTable(
      new Table({
        name: 'observations',
        withoutRowid: true,
        columns: [
          { name: 'scope', type: 'tinyint', isPrimary: true },
          { name: 'id', ...(mysql ? { type: 'varbinary', length: '255' } : { type: 'text' }), isPrimary: true },
          { name: 'observed_at', type: 'bigint' },
          {
            name: 'document',
            ...(mysql ? { type: 'mediumtext', charset: 'utf8mb4', collation: 'utf8mb4_bin' } : { type: 'text' }),
          },
        ],
        indices: [{ name: 'observations_by_time', columnNames: ['scope', 'observed_at', 'id'] }],
      }),
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('observations');
  }
}
