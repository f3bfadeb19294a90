import type { PoolConnection } from 'mysql2';
import type { DataSource } from 'typeorm';
import { CounterEntity } from '../counter.entity.js';
import { Writer } from '../database.js';

/** A transaction that has the connection for itself. */
export abstract class MysqlTransaction extends Writer {
  readonly dialect = 'mysql';
  /** Whether a commit was sent that is not known to have failed. */
  protected isInDoubt = false;

  /** @param timeoutMs for each message to the server */
  constructor(
    protected readonly connection: PoolConnection,
    readonly dataSource: DataSource,
    protected readonly timeoutMs: number,
  ) {
    super();
  }

  /** Of a transaction that failed: whether it may be in the store all the same. */
  get mayBeCommitted(): boolean {
    return this.isInDoubt;
  }

  /** @throws the first error, awaited by somebody or not */
  abstract commit(): Promise<void>;

  /** With the timeout of a batch: it may wait for that of another command. */
  lockData(): Promise<void> {
    const { sql, values } = this.lookup({ entity: CounterEntity, group: null, id: 'name', columns: ['value'] });
    const rows = this.all({ sql: `${sql} FOR UPDATE` }, values(null, ['data_lock']));
    return reportedByCommit(rows.then(() => undefined));
  }
}

/** A statement's answer that nobody has to await: the commit reports what went wrong. */
export function reportedByCommit<T>(answer: Promise<T>): Promise<T> {
  answer.catch(() => undefined);
  return answer;
}
