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
  hasBegun = false;
  readonly socket: { destroyed: boolean; readonly bytesRead: number };
  #bytesRead = 5000;

  constructor(
    uploads: Uploads,
    { key = 'a', address = '192.0.2.1' } = {},
    readonly end = deferred(),
  ) {
    const bytesRead = () => this.#bytesRead;
    this.socket = {
      destroyed: false,
      get bytesRead() {
        return bytesRead();
      },
    };
    uploads
      .receive(this.socket as Socket, { keyId: key, address }, () => {
        this.hasBegun = true;
        return this.end.promise;
      })
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
  it('reads a limited number of bodies of a key at the same time, and the others in turn', async () => {
    const uploads = new Uploads({ ...UPLOAD_LIMITS, maxReadPerKey: 2 });
    const bodies = ['a', 'a', 'a', 'a', 'b'].map((key) => new SlowBody(uploads, { key }));
    const begun = () => bodies.map(({ hasBegun }) => hasBegun);
    expect(begun()).toEqual([true, true, false, false, true]);
    bodies[1]?.end.resolve();
    await pass(uploads, UPLOAD_SAMPLE_MS, bodies, 20_000);
    expect(begun()).toEqual([true, true, true, false, true]);
  });

  it('leaves out a waiting body whose client is gone', async () => {
    const uploads = new Uploads({ ...UPLOAD_LIMITS, maxReadPerKey: 1 });
    const [first, gone, next] = [new SlowBody(uploads), new SlowBody(uploads), new SlowBody(uploads)];
    gone.socket.destroyed = true;
    first.end.resolve();
    await new Promise(setImmediate);
    expect([first.outcome, gone.outcome, gone.hasBegun, next.hasBegun]).toEqual([200, 499, false, true]);
  });

  it('answers 429 to a body that waits for its turn as long as a body may take', async () => {
    const uploads = new Uploads({ ...UPLOAD_LIMITS, maxReadPerKey: 1 });
    const bodies = [new SlowBody(uploads), new SlowBody(uploads), new SlowBody(uploads)];
    await pass(uploads, UPLOAD_LIMITS.timeoutMs, bodies, 20_000);
    expect(bodies.map(({ outcome }) => outcome)).toEqual([408, null, 429]);
    expect([bodies[1]?.hasBegun, bodies[2]?.hasBegun, uploads.count]).toEqual([true, false, 1]);
  });

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
    await new Promise(setImmediate);
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
