import { Table, type MigrationInterface, type QueryRunner } from 'typeorm';

/** Creates the log of the operator's commands that changed something. */
export class CreateAuditLog1764064802000 implements MigrationInterface {
  readonly name = 'CreateAuditLog1764064802000';

  async up(runner: QueryRunner): Promise<void> {
    const mysql = runner.connection.options.type === 'mysql';
    const bytes = (length: number) => (mysql ? { type: 'varbinary', length: String(length) } : { type: 'text' });
    await runner.createTable(
      new Table({
        name: 'audit_log',
        columns: [
          { name: 'at', type: 'bigint', isPrimary: true },
          { name: 'id', ...bytes(16), isPrimary: true },
          { name: 'os_user', ...bytes(255) },
          { name: 'host', ...bytes(255) },
          { name: 'command', ...bytes(64) },
          { name: 'target', ...bytes(2000) },
          { name: 'outcome', ...bytes(32) },
        ],
      }),
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('audit_log');
  }
}
