import { expect, it } from '@jest/globals';
import { IndexLock } from './index-lock.js';

it('fails, instead of trying forever, where no folder can be created', async () => {
  await expect(new IndexLock('/proc/self/none/search').acquire()).rejects.toMatchObject({ code: 'EPERM' });
});
