import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the field policy of a key. Plain SQL, because TypeORM copies SQLite's table to add a column. */
export class AddKeyPolicy1763700200000 implements MigrationInterface {
  readonly name = 'AddKeyPolicy1763700200000';

  async up(runner: QueryRunner): Promise<void> {
    const column = runner.connection.options.type === 'mysql' ? 'policy varbinary(2000) NULL' : '"policy" text';
    await runner.query(`ALTER TABLE api_keys ADD COLUMN ${column}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE api_keys DROP COLUMN policy');
  }
}
