import { Table, type MigrationInterface, type QueryRunner } from 'typeorm';

/** Creates the table of what each key with a month allowance has used in a month. */
export class CreateKeyMonths1764064801000 implements MigrationInterface {
  readonly name = 'CreateKeyMonths1764064801000';

  async up(runner: QueryRunner): Promise<void> {
    const mysql = runner.connection.options.type === 'mysql';
    const integer = mysql ? 'int' : 'integer';
    await runner.createTable(
      new Table({
        name: 'key_months',
        columns: [
          { name: 'key_id', ...(mysql ? { type: 'varbinary', length: '32' } : { type: 'text' }), isPrimary: true },
          { name: 'month', type: integer, isPrimary: true },
          { name: 'quota_units', type: 'bigint' },
          { name: 'credits', type: 'bigint' },
          { name: 'warned_percent', type: integer, default: 0 },
        ],
      }),
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('key_months');
  }
}
