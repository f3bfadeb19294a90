import { Table, type MigrationInterface, type QueryRunner } from 'typeorm';

/** Creates the table of processes that record usage, with the time up to which each has recorded its requests. */
export class CreateUsageWriters1764021600000 implements MigrationInterface {
  readonly name = 'CreateUsageWriters1764021600000';

  async up(runner: QueryRunner): Promise<void> {
    const mysql = runner.connection.options.type === 'mysql';
    const bytes = (length: number) => (mysql ? { type: 'varbinary', length: String(length) } : { type: 'text' });
    await runner.createTable(
      new Table({
        name: 'usage_writers',
        columns: [
          { name: 'writer_id', ...bytes(16), isPrimary: true },
          { name: 'host', ...bytes(255) },
          { name: 'pid', type: mysql ? 'int' : 'integer' },
          { name: 'seen_at', type: 'bigint' },
          { name: 'settled_until', type: 'bigint' },
        ],
      }),
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('usage_writers');
  }
}
