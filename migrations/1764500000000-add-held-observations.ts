import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the observation that a profile itself is. Stored profiles hold none: their history has it. Plain SQL, because TypeORM copies
 * SQLite's table to add a column. */
export class AddHeldObservations1764500000000 implements MigrationInterface {
  readonly name = 'AddHeldObservations1764500000000';

  async up(runner: QueryRunner): Promise<void> {
    const mysql = runner.connection.options.type === 'mysql';
    const additions = COLUMNS.map((column) => `ADD COLUMN ${mysql ? `${column} bigint NULL` : `"${column}" bigint`}`);
    // MySQL commits at every statement, so all columns are added by one. SQLite adds one column per statement.
    for (const each of mysql ? [additions.join(', ')] : additions) await runner.query(`ALTER TABLE profiles ${each}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const column of COLUMNS.toReversed()) await runner.query(`ALTER TABLE profiles DROP COLUMN ${column}`);
  }
}

const COLUMNS = ['observed_at', 'observed_followers', 'observed_views'] as const;
