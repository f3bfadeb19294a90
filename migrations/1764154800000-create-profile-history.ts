import { Table, type MigrationInterface, type QueryRunner } from 'typeorm';

/** Creates the table of the statistics of profiles by day. */
export class CreateProfileHistory1764154800000 implements MigrationInterface {
  readonly name = 'CreateProfileHistory1764154800000';

  async up(runner: QueryRunner): Promise<void> {
    const mysql = runner.connection.options.type === 'mysql';
    await runner.createTable(
      new Table({
        name: 'profile_history',
        withoutRowid: true,
        columns: [
          { name: 'platform', type: 'tinyint', isPrimary: true },
          { name: 'profile_id', ...(mysql ? { type: 'varbinary', length: '255' } : { type: 'text' }), isPrimary: true },
          { name: 'day', type: mysql ? 'int' : 'integer', isPrimary: true },
          { name: 'observed_at', type: 'bigint' },
          { name: 'followers', type: 'bigint', isNullable: true },
          { name: 'views_estimated', type: 'bigint', isNullable: true },
        ],
      }),
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('profile_history');
  }
}
