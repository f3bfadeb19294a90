import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds customer, month allowances, expiry and test flag of a key. Plain SQL, because TypeORM copies SQLite's table to add a column. */
export class AddKeyPlans1764064800000 implements MigrationInterface {
  readonly name = 'AddKeyPlans1764064800000';

  async up(runner: QueryRunner): Promise<void> {
    const mysql = runner.connection.options.type === 'mysql';
    const columns = mysql
      ? [
          'customer varbinary(800) NULL',
          ...BIGINTS.map((name) => `${name} bigint NULL`),
          'is_test tinyint NOT NULL DEFAULT 0',
        ]
      : ['"customer" text', ...BIGINTS.map((name) => `"${name}" bigint`), '"is_test" tinyint NOT NULL DEFAULT (0)'];
    const additions = columns.map((column) => `ADD COLUMN ${column}`);
    // MySQL commits at every statement, so all columns are added by one. SQLite adds one column per statement.
    for (const addition of mysql ? [additions.join(', ')] : additions) {
      await runner.query(`ALTER TABLE api_keys ${addition}`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const name of ['is_test', ...BIGINTS.toReversed(), 'customer']) {
      await runner.query(`ALTER TABLE api_keys DROP COLUMN ${name}`);
    }
  }
}

const BIGINTS = ['month_units', 'month_credits', 'expires_at'] as const;
