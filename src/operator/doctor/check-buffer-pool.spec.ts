import { describe, expect, it } from '@jest/globals';
import { judgeBufferPool } from './check-buffer-pool.js';

const MIB = 1024 ** 2;

describe('the check of the buffer pool', () => {
  it.each([
    [300, 'good', 'innodb_buffer_pool_size is 300 MiB, room for 200 MiB of data and 100 MiB of indexes'],
    [299, 'good', 'innodb_buffer_pool_size is 299 MiB, room for the indexes but not for all of 200 MiB of data and'],
    [99, 'warning', 'innodb_buffer_pool_size is 99 MiB, too small for 200 MiB of data and 100 MiB of indexes: set'],
  ])('compares %d MiB with 200 MiB of data and 100 MiB of indexes: %s', (poolMib, state, message) => {
    expect(judgeBufferPool({ pool: poolMib * MIB, data: 200 * MIB, indexes: 100 * MIB })).toEqual({
      name: 'buffer',
      state,
      message: expect.stringContaining(message),
    });
  });
});
