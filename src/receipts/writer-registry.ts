import { StoreUnavailableError, type Database } from '../database/database.js';
import type { KeysetList } from '../database/keyset.js';
import { TIMED_OUT, withTimeout } from '../model/with-timeout.js';
import { UsageWriterEntity } from './usage.entities.js';

/** Time limit of a change by the service. Records of requests wait for the same connection meanwhile. */
const SERVICE_CHANGE_MS = 1000;

/** Time limit of a change by a command. Nothing waits for it, and a busy machine is slow, not down. */
export const COMMAND_CHANGE_MS = 15_000;

/** Extra time for the store's own timeout. */
const GRACE_MS = 200;

const ROWS_PER_PAGE = 100;

/** Registry, in the store, of the processes that record usage. */
export class WriterRegistry {
  readonly #list: KeysetList<UsageWriterEntity, 'writer_id'>;

  /** @param changeMs time limit of a change */
  constructor(
    private readonly database: Database,
    private readonly changeMs = SERVICE_CHANGE_MS,
  ) {
    this.#list = database.usage.list({
      entity: UsageWriterEntity,
      filters: [],
      keys: ['writer_id'],
      columns: ['host', 'pid', 'seen_at', 'settled_until'],
    });
  }

  async save(row: UsageWriterEntity): Promise<void> {
    await this.#withinTimeout(
      this.database.usage.write(async (writer) => void writer.upsert(UsageWriterEntity, [row]), this.changeMs),
    );
  }

  /** @returns false for an unknown writer */
  async remove(id: string): Promise<boolean> {
    const key = [{ writer_id: id }];
    const removed = this.database.usage.write(
      (writer) => writer.remove(UsageWriterEntity, ['writer_id'], key),
      this.changeMs,
    );
    return (await this.#withinTimeout(removed)) > 0;
  }

  async list(): Promise<UsageWriterEntity[]> {
    const writers: UsageWriterEntity[] = [];
    for await (const page of this.database.usage.pages(this.#list, { filters: [], limit: ROWS_PER_PAGE })) {
      // MySQL returns bytewise columns as bytes.
      for (const { writer_id, host, ...row } of page) {
        writers.push({ writer_id: String(writer_id), host: String(host), ...row });
      }
    }
    return writers;
  }

  async #withinTimeout<T>(change: Promise<T>): Promise<T> {
    const result = await withTimeout(change, this.changeMs + GRACE_MS, TIMED_OUT);
    if (result === TIMED_OUT) throw new StoreUnavailableError(new Error('the store hangs'));
    return result;
  }
}
