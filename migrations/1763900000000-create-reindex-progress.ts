import { Table, type MigrationInterface, type QueryRunner } from 'typeorm';

/** Creates the table of the progress of unfinished reindexes. */
export class CreateReindexProgress1763900000000 implements MigrationInterface {
  readonly name = 'CreateReindexProgress1763900000000';

  async up(runner: QueryRunner): Promise<void> {
    const mysql = runner.connection.options.type === 'mysql';
    await runner.createTable(
      new Table({
        name: 'reindex_progress',
        columns: [
          { name: 'kind', ...(mysql ? { type: 'varbinary', length: '32' } : { type: 'text' }), isPrimary: true },
          {
            name: 'document',
            ...(mysql ? { type: 'mediumtext', charset: 'utf8mb4', collation: 'utf8mb4_bin' } : { type: 'text' }),
          },
        ],
      }),
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('reindex_progress');
  }
}
