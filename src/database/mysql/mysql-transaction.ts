import type { PoolConnection } from 'mysql2';
import type { DataSource } from 'typeorm';
import { CounterEntity } from '../counter.entity.js';
import { Writer } from '../database.js';
import type { RowStatement, SqlValue } from '../statements.js';

/** Transaction with exclusive use of its connection. */
export abstract class MysqlTransaction extends Writer {
  readonly dialect = 'mysql';
  /** Whether a COMMIT was sent whose failure is not certain. */
  protected isInDoubt = false;

  /** @param timeoutMs time limit of each message to the server */
  constructor(
    protected readonly connection: PoolConnection,
    readonly dataSource: DataSource,
    protected readonly timeoutMs: number,
  ) {
    super();
  }

  /** Whether a failed transaction may be committed. */
  get mayBeCommitted(): boolean {
    return this.isInDoubt;
  }

  /** Commits. @throws the first error of the transaction, whether its statement was awaited or not */
  abstract commit(): Promise<void>;

  protected select<R>(
    { head, row, separator, tail, maxRows }: RowStatement,
    rows: readonly SqlValue[][],
  ): Promise<R[]> {
    const reads: Promise<R[]>[] = [];
    for (let start = 0; start < rows.length; start += maxRows) {
      const chunk = rows.slice(start, start + maxRows);
      reads.push(this.all<R>({ sql: `${head}${Array(chunk.length).fill(row).join(separator)}${tail}` }, chunk.flat()));
    }
    return reportedByCommit(Promise.all(reads).then((chunks) => chunks.flat()));
  }

  /** Waits at most `timeoutMs` for the batch of another command. */
  lockData(): Promise<void> {
    const { sql, values } = this.lookup({ entity: CounterEntity, group: null, id: 'name', columns: ['value'] });
    const rows = this.all({ sql: `${sql} FOR UPDATE` }, values(null, ['data_lock']));
    return reportedByCommit(rows.then(() => undefined));
  }
}

/** Prevents an unhandled rejection of a result that is not awaited; the commit reports its error. */
export function reportedByCommit<T>(result: Promise<T>): Promise<T> {
  result.catch(() => undefined);
  return result;
}
