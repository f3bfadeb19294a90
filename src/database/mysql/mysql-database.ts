import type { Pool, PoolConnection } from 'mysql2';
import type { DataSource } from 'typeorm';
import type { MysqlDriver } from 'typeorm/driver/mysql/MysqlDriver.js';
import {
  CommitUnknownError,
  Database,
  StoreUnavailableError,
  type DocumentSizeLimit,
  type PoolState,
  type ReadOptions,
  type ReadSource,
  type Writer,
} from '../database.js';
import { TIMED_OUT, withTimeout } from '../../model/with-timeout.js';
import type { Select, StreamRows } from '../statements.js';
import { acquire, destroyConnection, queryPool } from './mysql-connection.js';
import { MysqlMessageWriter } from './mysql-message-writer.js';
import { packetLimitReason, maxDocumentBytes, SELECT_MAX_PACKET } from './mysql-packet.js';
import { replicaPool, usagePool } from './mysql-pools.js';
import { CAUSAL_READS, prepareSessions, READ_COMMITTED } from './mysql-session.js';
import { withSnapshot } from './mysql-snapshot.js';
import type { MysqlTransaction } from './mysql-transaction.js';
import { MysqlWriter } from './mysql-writer.js';
import { retryConflicts } from './retry-conflicts.js';

/** Time limit of a read, after which the store counts as unreachable. A request must be answered within 5 s. */
const READ_TIMEOUT_MS = 3000;

/** Time limit of a read from a replica, which leaves time to fall back to the primary. */
const REPLICA_TIMEOUT_MS = 1500;

const ACQUIRE_TIMEOUT_MS = 3000;

/** Time limit of a statement of an import batch. */
const WRITE_TIMEOUT_MS = 60_000;

/** Time limit of a statement of a usage write. The recorder handles the failure. */
const USAGE_WRITE_TIMEOUT_MS = 5000;

/** Time for which reads skip a replica that failed. */
const REPLICA_PAUSE_MS = 5000;

interface Replica {
  readonly pool: Pool;
  /** On the monotonic clock of `performance.now()`. */
  pausedUntil: number;
}

interface WriteOptions {
  readonly pool: Pool;
  readonly timeoutMs: number;
  readonly Transaction: new (connection: PoolConnection, dataSource: DataSource, timeoutMs: number) => MysqlTransaction;
}

/** MySQL, MariaDB and wire-compatible engines, with optional read replicas. */
export class MysqlDatabase extends Database {
  readonly dialect = 'mysql';
  readonly usage: Database;

  readonly #primary: Pool;
  readonly #replicas: Replica[];
  #nextReplica = 0;

  /** @param usage the usage store; null if this is the usage store */
  private constructor(
    readonly dataSource: DataSource,
    replicas: readonly Pool[],
    private readonly writing: WriteOptions,
    usage: Database | null,
  ) {
    super();
    this.usage = usage ?? this;
    this.#primary = primaryPool(dataSource);
    this.#replicas = replicas.map((pool) => ({ pool, pausedUntil: 0 }));
  }

  static create(dataSource: DataSource, url: string, replicaUrls: readonly string[]): MysqlDatabase {
    const pool = prepareSessions(primaryPool(dataSource), READ_COMMITTED, CAUSAL_READS);
    const usageWriting = { pool: usagePool(url), timeoutMs: USAGE_WRITE_TIMEOUT_MS, Transaction: MysqlMessageWriter };
    const usage = new MysqlDatabase(dataSource, [], usageWriting, null);
    const writing = { pool, timeoutMs: WRITE_TIMEOUT_MS, Transaction: MysqlWriter };
    return new MysqlDatabase(dataSource, replicaUrls.map(replicaPool), writing, usage);
  }

  async all<R>({ sql }: Select<R>, values: readonly unknown[], { source = 'replica' }: ReadOptions = {}): Promise<R[]> {
    const startedAt = performance.now();
    try {
      return await this.#read(sql, values, source, startedAt);
    } finally {
      this.reads.observe(performance.now() - startedAt);
    }
  }

  async #read<R>(sql: string, values: readonly unknown[], source: ReadSource, startedAt: number): Promise<R[]> {
    const replica = source === 'replica' ? this.#pickReplica() : undefined;
    if (replica !== undefined) {
      try {
        return await queryPool(replica.pool, sql, values, REPLICA_TIMEOUT_MS);
      } catch (error) {
        if (!(error instanceof StoreUnavailableError)) throw error;
        replica.pausedUntil = performance.now() + REPLICA_PAUSE_MS;
      }
    }
    return queryPool(this.#primary, sql, values, READ_TIMEOUT_MS - (performance.now() - startedAt));
  }

  override async documentLimit(): Promise<DocumentSizeLimit> {
    const [row] = await this.all<{ readonly bytes: unknown }>({ sql: SELECT_MAX_PACKET }, [], { source: 'primary' });
    const packet = Number(row?.bytes);
    return { maxBytes: maxDocumentBytes(packet), reason: packetLimitReason(packet) };
  }

  async ping(): Promise<void> {
    await this.all({ sql: 'SELECT 1' }, [], { source: 'primary' });
  }

  async write<T>(work: (writer: Writer) => Promise<T>, withinMs = Infinity): Promise<T> {
    const deadline = performance.now() + withinMs;
    return retryConflicts(() => this.#attempt(work, deadline - performance.now()), deadline);
  }

  async snapshot<T>(work: (stream: StreamRows) => Promise<T>): Promise<T> {
    return withSnapshot(await acquire(this.#primary, ACQUIRE_TIMEOUT_MS), WRITE_TIMEOUT_MS, work);
  }

  override retryOnConflict<T>(statement: () => Promise<T>): Promise<T> {
    return retryConflicts(statement);
  }

  async #attempt<T>(work: (writer: Writer) => Promise<T>, withinMs: number): Promise<T> {
    const { pool, timeoutMs, Transaction } = this.writing;
    const startedAt = performance.now();
    const connection = await acquire(pool, Math.min(ACQUIRE_TIMEOUT_MS, withinMs));
    const transaction = new Transaction(connection, this.dataSource, timeoutMs);
    const run = async () => {
      const result = await work(transaction);
      await transaction.commit();
      return result;
    };
    try {
      const result = await withTimeout(run(), withinMs - (performance.now() - startedAt), TIMED_OUT);
      if (result === TIMED_OUT)
        throw new StoreUnavailableError(new Error(`the transaction took longer than ${Math.round(withinMs)} ms`));
      connection.release();
      return result;
    } catch (error) {
      // The server rolls back when the connection ends, and a COMMIT that was not sent yet never reaches it.
      destroyConnection(connection);
      throw transaction.mayBeCommitted ? new CommitUnknownError(error) : error;
    }
  }

  async close(): Promise<void> {
    for (const { pool } of this.#replicas) pool.end();
    if (this.usage === this) {
      await new Promise<void>((resolve) => this.writing.pool.end(() => resolve()));
    } else {
      await this.usage.close();
      // The usage store shares this data source.
      await this.dataSource.destroy();
    }
  }

  override pools(): readonly PoolState[] {
    return [
      poolState('primary', this.#primary),
      poolState('usage', this.usage instanceof MysqlDatabase ? this.usage.writing.pool : this.writing.pool),
      ...this.#replicas.map(({ pool }, index) => poolState(`replica ${index + 1}`, pool)),
    ];
  }

  #pickReplica(): Replica | undefined {
    const now = performance.now();
    for (let attempt = 0; attempt < this.#replicas.length; attempt += 1) {
      this.#nextReplica = (this.#nextReplica + 1) % this.#replicas.length;
      const replica = this.#replicas[this.#nextReplica];
      if (replica !== undefined && replica.pausedUntil <= now) return replica;
    }
    return undefined;
  }
}

const primaryPool = (dataSource: DataSource): Pool => (dataSource.driver as MysqlDriver).pool as Pool;

/** Reads private members of the driver, which publishes no pool state. */
function poolState(name: string, pool: Pool): PoolState {
  const length = (member: string) =>
    (Reflect.get(pool, member) as { readonly length: number } | undefined)?.length ?? 0;
  return {
    pool: name,
    open: length('_allConnections'),
    idle: length('_freeConnections'),
    waiting: length('_connectionQueue'),
  };
}
