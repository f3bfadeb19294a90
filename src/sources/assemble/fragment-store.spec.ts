import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from '@jest/globals';
import { FragmentStore } from './fragment-store.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

it('a join yields all profiles, even if garbage is collected between two of them', async () => {
  const join = await FragmentStore.open();
  try {
    for (let nth = 0; nth < 1000; nth += 1) {
      join.add({ kind: 'profile', platform: 'live_platform', id: `${nth}`, observedAt: null, known: {} }, nth);
    }
    let read = 0;
    for (const { id } of join.records('profiles')) {
      if ((read += 1) % 100 === 0) collectGarbage();
      expect(id).not.toBe('');
      // Finalizers run between two turns of the event loop.
      await new Promise(setImmediate);
    }
    expect(read).toBe(1000);
  } finally {
    join.close();
  }
});
