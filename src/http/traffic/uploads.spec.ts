import type { Socket } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { ApiError } from '../errors/api-error.js';
import { UPLOAD_LIMITS, UPLOAD_SAMPLE_MS, Uploads } from './uploads.js';

function deferred() {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((resolved) => (resolve = resolved));
  return { promise, resolve };
}

/** A body that arrives at a rate, and never ends by itself. */
class SlowBody {
  outcome: number | null = null;
  #bytesRead = 5000;

  constructor(
    uploads: Uploads,
    { key = 'a', address = '192.0.2.1' } = {},
    readonly end = deferred(),
  ) {
    const bytesRead = () => this.#bytesRead;
    const socket = {
      get bytesRead() {
        return bytesRead();
      },
    } as Socket;
    uploads
      .receive(socket, { keyId: key, address }, () => this.end.promise)
      .then(
        () => (this.outcome = 200),
        (error: unknown) => (this.outcome = error instanceof ApiError ? error.status : NaN),
      );
  }

  arrive(bytes: number): void {
    this.#bytesRead += bytes;
  }
}

/** Lets time pass, in which each body gets bytes at its rate. */
async function pass(uploads: Uploads, ms: number, bodies: readonly SlowBody[] = [], bytesPerSecond = 0): Promise<void> {
  for (let passedMs = 0; passedMs < ms; passedMs += UPLOAD_SAMPLE_MS) {
    for (const body of bodies) body.arrive((bytesPerSecond * UPLOAD_SAMPLE_MS) / 1000);
    uploads.sample();
  }
  await new Promise(setImmediate);
}

describe('Uploads', () => {
  it('answers 408 to a body that is not complete after the timeout, however fast it comes', async () => {
    const uploads = new Uploads();
    const body = new SlowBody(uploads);
    await pass(uploads, UPLOAD_LIMITS.timeoutMs - UPLOAD_SAMPLE_MS, [body], 20_000);
    expect(body.outcome).toBeNull();
    await pass(uploads, UPLOAD_SAMPLE_MS, [body], 20_000);
    expect([body.outcome, uploads.count]).toEqual([408, 0]);
  });

  it('answers 408 to a body below the least rate, after a grace', async () => {
    const uploads = new Uploads();
    const [slow, fast] = [new SlowBody(uploads), new SlowBody(uploads)];
    await pass(uploads, UPLOAD_LIMITS.graceMs, [fast], UPLOAD_LIMITS.minBytesPerSecond);
    expect([slow.outcome, fast.outcome]).toEqual([null, null]);
    await pass(uploads, 2000, [fast], UPLOAD_LIMITS.minBytesPerSecond);
    expect([slow.outcome, fast.outcome]).toEqual([408, null]);
  });

  it('forgets a body that has arrived', async () => {
    const uploads = new Uploads();
    const body = new SlowBody(uploads);
    body.end.resolve();
    await pass(uploads, 20_000);
    expect([body.outcome, uploads.count]).toEqual([200, 0]);
  });

  it.each([
    ['key', { maxSlowPerKey: 2 }, ['a', 'a', 'b', 'a'], ['1', '2', '3', '4']],
    ['address', { maxSlowPerAddress: 2 }, ['a', 'b', 'c', 'd'], ['1', '1', '2', '1']],
  ])(
    'answers 429 to the oldest slow bodies of one %s beyond its limit, and leaves others',
    async (_, limits, keys, ips) => {
      const uploads = new Uploads({ ...UPLOAD_LIMITS, ...limits });
      const bodies = keys.map((key, nth) => new SlowBody(uploads, { key, address: ips[nth] }));
      await pass(uploads, UPLOAD_LIMITS.slowMs - UPLOAD_SAMPLE_MS);
      expect(bodies.map(({ outcome }) => outcome)).toEqual([null, null, null, null]);
      await pass(uploads, UPLOAD_SAMPLE_MS);
      expect(bodies.map(({ outcome }) => outcome)).toEqual([429, null, null, null]);
    },
  );

  it('at its limit of all, ends the oldest of the key with the most', async () => {
    const uploads = new Uploads({ ...UPLOAD_LIMITS, maxUploads: 3 });
    const bodies = ['b', 'a', 'a', 'c'].map((key) => new SlowBody(uploads, { key }));
    await new Promise(setImmediate);
    expect([bodies.map(({ outcome }) => outcome), uploads.count]).toEqual([[null, 429, null, null], 3]);
  });
});
