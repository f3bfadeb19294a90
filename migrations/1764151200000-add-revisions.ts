import { TableIndex, type MigrationInterface, type QueryRunner } from 'typeorm';

/** Adds the revision and the time of the last change of every record. Stored records get 0: they come first in their feed. Plain
 * SQL, because TypeORM copies SQLite's table to add a column. */
export class AddRevisions1764151200000 implements MigrationInterface {
  readonly name = 'AddRevisions1764151200000';

  async up(runner: QueryRunner): Promise<void> {
    const mysql = runner.connection.options.type === 'mysql';
    const addition = (column: string) =>
      mysql ? `ADD COLUMN ${column} bigint NOT NULL DEFAULT 0` : `ADD COLUMN "${column}" bigint NOT NULL DEFAULT (0)`;
    for (const [table, id] of TABLES) {
      const additions = ['revision', 'changed_at'].map(addition);
      // MySQL commits at every statement, so both columns are added by one. SQLite adds one column per statement.
      for (const each of mysql ? [additions.join(', ')] : additions) await runner.query(`ALTER TABLE ${table} ${each}`);
      await runner.createIndex(
        table,
        new TableIndex({ name: `${table}_by_revision`, columnNames: ['platform', 'revision', id] }),
      );
    }
    await runner.query(`ALTER TABLE games ${addition('changed_at')}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE games DROP COLUMN changed_at');
    for (const [table] of TABLES.toReversed()) {
      await runner.dropIndex(table, `${table}_by_revision`);
      for (const column of ['changed_at', 'revision']) await runner.query(`ALTER TABLE ${table} DROP COLUMN ${column}`);
    }
  }
}

const TABLES = [
  ['profiles', 'id'],
  ['content', 'content_id'],
  ['creator_analyses', 'profile_id'],
  ['audience_analyses', 'profile_id'],
  ['social_links', 'profile_id'],
  ['emails', 'profile_id'],
] as const;
