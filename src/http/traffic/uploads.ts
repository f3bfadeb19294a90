import type { Socket } from 'node:net';
import { bodyTimeout, limitExceeded, type ApiError } from '../errors/api-error.js';

export interface UploadLimits {
  readonly timeoutMs: number;
  readonly slowMs: number;
  /** Time after which a body must arrive at `minBytesPerSecond` on average. */
  readonly graceMs: number;
  readonly minBytesPerSecond: number;
  readonly maxSlowPerKey: number;
  readonly maxSlowPerAddress: number;
  /** Concurrent bodies, slow or not; each may hold 256 KiB. */
  readonly maxUploads: number;
}

export const UPLOAD_LIMITS: UploadLimits = {
  timeoutMs: 10_000,
  slowMs: 1000,
  graceMs: 2000,
  minBytesPerSecond: 1024,
  maxSlowPerKey: 32,
  maxSlowPerAddress: 128,
  maxUploads: 512,
};

export const UPLOAD_SAMPLE_MS = 250;

export interface Sender {
  readonly keyId: string;
  readonly address: string;
}

interface Upload extends Sender {
  readonly socket: Socket;
  readonly bytesBefore: number;
  readonly stop: (reason: ApiError) => void;
  /** Age in samples. A clock would be unfair after a pause of the process, when received bytes are still unread. */
  samples: number;
  hasEnded: boolean;
}

/**
 * Bounds bodies that are still arriving. A body that is too slow is answered 408. If there are too many, the oldest body of
 * the key with the most is answered 429, so that a flood from one key rejects its own requests.
 */
export class Uploads {
  /** Oldest first. */
  #uploads: Upload[] = [];
  #count = 0;

  constructor(private readonly limits = UPLOAD_LIMITS) {}

  get count(): number {
    return this.#count;
  }

  /** Waits for a body. @param read resolves once the body has arrived @throws ApiError 408 or 429 if it is stopped */
  async receive(socket: Socket, { keyId, address }: Sender, read: () => Promise<void>): Promise<void> {
    if (this.#count >= this.limits.maxUploads) this.#stopOldestOfBusiestKey();
    let stop: Upload['stop'] = () => undefined;
    const stopped = new Promise<never>((_resolve, reject) => (stop = reject));
    const upload: Upload = {
      socket,
      keyId,
      address,
      bytesBefore: socket.bytesRead,
      stop,
      samples: 0,
      hasEnded: false,
    };
    this.#uploads.push(upload);
    this.#count += 1;
    try {
      await Promise.race([read(), stopped]);
    } finally {
      this.#end(upload);
    }
  }

  /** Stops bodies that are too slow, and the oldest beyond each limit. Call it every `UPLOAD_SAMPLE_MS`. */
  sample(): void {
    if (this.#uploads.length === 0) return;
    this.#uploads = this.#uploads.filter(({ hasEnded }) => !hasEnded);
    const slow: Upload[] = [];
    for (const upload of this.#uploads) {
      upload.samples += 1;
      if (this.#isTooSlow(upload)) this.#stop(upload, bodyTimeout());
      else if (upload.samples * UPLOAD_SAMPLE_MS >= this.limits.slowMs) slow.push(upload);
    }
    this.#stopExcess(slow, ({ keyId }) => keyId, this.limits.maxSlowPerKey);
    this.#stopExcess(slow, ({ address }) => address, this.limits.maxSlowPerAddress);
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
      if (upload.hasEnded) continue;
      const count = (kept.get(ownerOf(upload)) ?? 0) + 1;
      kept.set(ownerOf(upload), count);
      if (count > max) this.#stop(upload, limitExceeded('too_many_uploads', 1));
    }
  }

  #stopOldestOfBusiestKey(): void {
    const oldestByKey = new Map<string, { readonly upload: Upload; count: number }>();
    for (const upload of this.#uploads) {
      if (upload.hasEnded) continue;
      const entry = oldestByKey.get(upload.keyId);
      if (entry === undefined) oldestByKey.set(upload.keyId, { upload, count: 1 });
      else entry.count += 1;
    }
    const [busiest] = [...oldestByKey.values()].sort((a, b) => b.count - a.count);
    if (busiest !== undefined) this.#stop(busiest.upload, limitExceeded('too_many_uploads', 1));
  }

  #stop(upload: Upload, reason: ApiError): void {
    this.#end(upload);
    upload.stop(reason);
  }

  #end(upload: Upload): void {
    if (upload.hasEnded) return;
    upload.hasEnded = true;
    this.#count -= 1;
  }
}
