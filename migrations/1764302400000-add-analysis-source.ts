import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds where an analysis comes from. Plain SQL, because TypeORM copies SQLite's table to add a column. */
export class AddAnalysisSource1764302400000 implements MigrationInterface {
  readonly name = 'AddAnalysisSource1764302400000';

  async up(runner: QueryRunner): Promise<void> {
    const mysql = runner.connection.options.type === 'mysql';
    const column = mysql ? 'source tinyint NOT NULL DEFAULT 0' : '"source" tinyint NOT NULL DEFAULT (0)';
    await runner.query(`ALTER TABLE creator_analyses ADD COLUMN ${column}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE creator_analyses DROP COLUMN source');
  }
}
