import type { Database } from '../../database/database.js';
import { good, warning, type Check } from './check.js';

const MIB = 1024 ** 2;

const SELECT_SIZES =
  'SELECT @@innodb_buffer_pool_size AS pool, SUM(data_length) AS data, SUM(index_length) AS indexes ' +
  'FROM information_schema.tables WHERE table_schema = DATABASE()';

/** Sizes in bytes. */
interface BufferPoolSizes {
  readonly pool: number;
  readonly data: number;
  readonly indexes: number;
}

/** Checks that the server's buffer pool is large enough for the database. */
export async function checkBufferPool(database: Database): Promise<Check> {
  const [row] = await database.all<Record<keyof BufferPoolSizes, unknown>>({ sql: SELECT_SIZES }, [], {
    source: 'primary',
  });
  return judgeBufferPool({ pool: Number(row?.pool), data: Number(row?.data), indexes: Number(row?.indexes) });
}

/** Compares the buffer pool with the database: without room for the indexes, each read waits for the disk. */
export function judgeBufferPool({ pool, data, indexes }: BufferPoolSizes): Check {
  const found = `innodb_buffer_pool_size is ${inMib(pool)}`;
  const sizes = `${inMib(data)} of data and ${inMib(indexes)} of indexes`;
  if (pool >= data + indexes) return good('buffer', `${found}, room for ${sizes}`);
  if (pool >= indexes) return good('buffer', `${found}, room for the indexes but not for all of ${sizes}`);
  return warning('buffer', `${found}, too small for ${sizes}: set it to at least ${inMib(indexes)}`);
}

const inMib = (bytes: number): string => `${Math.ceil(bytes / MIB).toLocaleString('en')} MiB`;
