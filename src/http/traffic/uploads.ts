import type { Socket } from 'node:net';
import { bodyTimeout, clientClosed, limitExceeded, type ApiError } from '../errors/api-error.js';

export interface UploadLimits {
  readonly timeoutMs: number;
  readonly slowMs: number;
  /** Time after which a body must arrive at `minBytesPerSecond` on average. */
  readonly graceMs: number;
  readonly minBytesPerSecond: number;
  readonly maxSlowPerKey: number;
  readonly maxSlowPerAddress: number;
  /** Bodies of a key that are read at the same time. The others wait: bytes that arrive on many connections delay every request. */
  readonly maxReadPerKey: number;
  /** Concurrent bodies, slow, waiting or neither; each may hold 256 KiB. */
  readonly maxUploads: number;
}

export const UPLOAD_LIMITS: UploadLimits = {
  timeoutMs: 10_000,
  slowMs: 1000,
  graceMs: 2000,
  minBytesPerSecond: 1024,
  maxSlowPerKey: 32,
  maxSlowPerAddress: 128,
  maxReadPerKey: 32,
  maxUploads: 512,
};

export const UPLOAD_SAMPLE_MS = 250;

export interface Uploader {
  readonly keyId: string;
  readonly address: string;
}

interface Upload extends Uploader {
  readonly socket: Socket;
  readonly read: () => Promise<void>;
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
  state: 'waiting' | 'reading' | 'ended';
  /** Bytes of the connection before the body was read. */
  bytesBefore: number;
  /** Age of the state in samples. A clock would be unfair after a pause of the process, when received bytes are still unread. */
  samples: number;
}

/**
 * Bounds bodies that are still arriving. A body that is too slow is answered 408. If there are too many, the oldest body of
 * the key with the most is answered 429, so that a flood from one key rejects its own requests.
 */
export class Uploads {
  /** Oldest first. */
  #uploads: Upload[] = [];
  #count = 0;
  /** Bodies that are read, by key. */
  readonly #reading = new Map<string, number>();

  constructor(private readonly limits = UPLOAD_LIMITS) {}

  get count(): number {
    return this.#count;
  }

  /** Waits for a body. @param read resolves once the body has arrived @throws ApiError 408 or 429 if it is stopped */
  receive(socket: Socket, { keyId, address }: Uploader, read: () => Promise<void>): Promise<void> {
    if (this.#count >= this.limits.maxUploads) this.#stopOldestOfBusiestKey();
    return new Promise((resolve, reject) => {
      const age = { bytesBefore: 0, samples: 0 };
      const upload: Upload = { socket, keyId, address, read, resolve, reject, state: 'waiting', ...age };
      this.#uploads.push(upload);
      this.#count += 1;
      if (this.#readingOf(keyId) < this.limits.maxReadPerKey) this.#begin(upload);
    });
  }

  /** Stops bodies that are too slow, and the oldest beyond each limit. Call it every `UPLOAD_SAMPLE_MS`. */
  sample(): void {
    if (this.#uploads.length === 0) return;
    this.#uploads = this.#uploads.filter(({ state }) => state !== 'ended');
    const slow: Upload[] = [];
    for (const upload of this.#uploads) {
      upload.samples += 1;
      if (upload.state === 'waiting') this.#stopIfExpired(upload);
      else if (this.#isTooSlow(upload)) this.#stop(upload, bodyTimeout());
      else if (upload.samples * UPLOAD_SAMPLE_MS >= this.limits.slowMs) slow.push(upload);
    }
    this.#stopExcess(slow, ({ keyId }) => keyId, this.limits.maxSlowPerKey);
    this.#stopExcess(slow, ({ address }) => address, this.limits.maxSlowPerAddress);
  }

  #readingOf(keyId: string): number {
    return this.#reading.get(keyId) ?? 0;
  }

  #begin(upload: Upload): void {
    Object.assign(upload, { state: 'reading', samples: 0, bytesBefore: upload.socket.bytesRead });
    this.#reading.set(upload.keyId, this.#readingOf(upload.keyId) + 1);
    upload.read().then(
      () => {
        this.#end(upload);
        upload.resolve();
      },
      (reason: unknown) => {
        this.#end(upload);
        upload.reject(reason);
      },
    );
  }

  #stopIfExpired(upload: Upload): void {
    if (upload.samples * UPLOAD_SAMPLE_MS >= this.limits.timeoutMs) this.#stop(upload, tooManyUploads());
  }

  #isTooSlow({ socket, samples, bytesBefore }: Upload): boolean {
    const { timeoutMs, graceMs, minBytesPerSecond } = this.limits;
    const elapsedMs = samples * UPLOAD_SAMPLE_MS;
    const bytes = socket.bytesRead - bytesBefore;
    return elapsedMs >= timeoutMs || bytes < ((elapsedMs - graceMs) / 1000) * minBytesPerSecond;
  }

  #stopExcess(uploads: readonly Upload[], ownerOf: (upload: Upload) => string, max: number): void {
    const kept = new Map<string, number>();
    for (const upload of uploads.toReversed()) {
      if (upload.state === 'ended') continue;
      const count = (kept.get(ownerOf(upload)) ?? 0) + 1;
      kept.set(ownerOf(upload), count);
      if (count > max) this.#stop(upload, tooManyUploads());
    }
  }

  #stopOldestOfBusiestKey(): void {
    const oldestByKey = new Map<string, { readonly upload: Upload; count: number }>();
    for (const upload of this.#uploads) {
      if (upload.state === 'ended') continue;
      const entry = oldestByKey.get(upload.keyId);
      if (entry === undefined) oldestByKey.set(upload.keyId, { upload, count: 1 });
      else entry.count += 1;
    }
    const [busiest] = [...oldestByKey.values()].sort((a, b) => b.count - a.count);
    if (busiest !== undefined) this.#stop(busiest.upload, tooManyUploads());
  }

  #stop(upload: Upload, reason: ApiError): void {
    this.#end(upload);
    upload.reject(reason);
  }

  #end(upload: Upload): void {
    const { state, keyId } = upload;
    if (state === 'ended') return;
    upload.state = 'ended';
    this.#count -= 1;
    if (state === 'waiting') return;
    const reading = this.#readingOf(keyId) - 1;
    if (reading === 0) this.#reading.delete(keyId);
    else this.#reading.set(keyId, reading);
    this.#beginNext(keyId);
  }

  #beginNext(keyId: string): void {
    for (const upload of this.#uploads) {
      if (upload.state !== 'waiting' || upload.keyId !== keyId) continue;
      if (!upload.socket.destroyed) return this.#begin(upload);
      this.#stop(upload, clientClosed());
    }
  }
}

const tooManyUploads = (): ApiError => limitExceeded('too_many_uploads', 1);
