import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { overloaded } from '../errors/api-error.js';
import { bytesAccepted } from '../node/sockets.js';

/** Bounds on responses that clients read slowly, or not at all. */
export interface UnsentLimits {
  /** Time after which a connection is closed if it accepted no byte of its response. */
  readonly stalledMs: number;
  /** Unsent bytes above which connections that accepted less than `pressureBytes` in `pressureMs` are closed, the slowest first. */
  readonly highBytes: number;
  readonly pressureMs: number;
  readonly pressureBytes: number;
  /** Maximum unsent bytes per key. Above it, new requests of the key are rejected. */
  readonly maxBytesPerKey: number;
  /** Unsent bytes above which a key may have only its share of them. */
  readonly sharedBytes: number;
  /** Unsent bytes above which no list and no batch is read, and the slowest connections are closed at each sample. */
  readonly maxBytes: number;
}

const MIB = 1024 * 1024;

export const UNSENT_LIMITS: UnsentLimits = {
  stalledMs: 30_000,
  highBytes: 32 * MIB,
  pressureMs: 2000,
  pressureBytes: 32 * 1024,
  maxBytesPerKey: 8 * MIB,
  sharedBytes: 64 * MIB,
  maxBytes: 160 * MIB,
};

/** Polling interval of `waitForRoom`. Sockets emit no event when the kernel accepts bytes. */
const POLL_MS = 50;

/** What the kernel had accepted on a connection. */
interface Progress {
  /** Bytes at the last sample, and when that number last changed. */
  accepted: number;
  changedAt: number;
  /** Bytes when they were last `pressureBytes` more than before, and when that was. */
  paced: number;
  pacedAt: number;
  /** Bytes between the last two samples; infinite after the first one. */
  recent: number;
}

/** Connection that is sending. */
interface Sending {
  readonly socket: Socket;
  readonly progress: Progress;
}

/** Counts unsent bytes, and closes the connections of clients that do not read. */
export class UnsentBytes {
  #bytes = 0;
  /** Of each key; those of requests without a key count as one. */
  readonly #bytesByKey = new Map<string | null, number>();
  readonly #progress = new WeakMap<Socket, Progress>();

  constructor(private readonly limits = UNSENT_LIMITS) {}

  /** Whether lists and batches may be read. */
  get hasRoom(): boolean {
    return this.#bytes <= this.limits.maxBytes;
  }

  /** Waits until there is room. @throws ApiError 503 if that takes too long */
  async waitForRoom(maxMs: number): Promise<void> {
    const deadline = performance.now() + maxMs;
    while (!this.hasRoom) {
      if (performance.now() > deadline) throw overloaded();
      await delay(POLL_MS);
    }
  }

  /** Returns whether a key has too many unsent bytes. */
  exceedsUnsentLimit(keyId: string): boolean {
    const bytes = this.#bytesByKey.get(keyId) ?? 0;
    const { maxBytesPerKey, sharedBytes } = this.limits;
    return bytes > maxBytesPerKey || (this.#bytes > sharedBytes && bytes > sharedBytes / this.#bytesByKey.size);
  }

  /** Counts a response until it was sent, or its connection closed. @param keyId null without a valid key */
  track(response: ServerResponse, bytes: number, keyId: string | null): void {
    this.#add(keyId, bytes);
    response.once('close', () => this.#add(keyId, -bytes));
  }

  /** Samples the connections, and closes those that are too slow. */
  closeSlow(sockets: Iterable<Socket>): void {
    const now = performance.now();
    const { stalledMs, highBytes, pressureMs, maxBytes } = this.limits;
    const sending: Sending[] = [];
    let unsent = 0;
    for (const socket of sockets) {
      if (socket.writableLength === 0) {
        this.#progress.delete(socket);
        continue;
      }
      const progress = this.#sample(socket, now);
      if (now - progress.changedAt >= stalledMs) {
        socket.destroy();
        continue;
      }
      unsent += socket.writableLength;
      sending.push({ socket, progress });
    }
    sending.sort((a, b) => a.progress.recent - b.progress.recent || a.progress.pacedAt - b.progress.pacedAt);
    for (const { socket, progress } of sending) {
      if (unsent <= highBytes) return;
      const isSlow = now - progress.pacedAt >= pressureMs;
      if (!isSlow && !(unsent > maxBytes && progress.recent < Infinity)) continue;
      unsent -= socket.writableLength;
      socket.destroy();
    }
  }

  #sample(socket: Socket, now: number): Progress {
    const accepted = bytesAccepted(socket);
    let progress = this.#progress.get(socket);
    if (progress === undefined) {
      progress = { accepted, changedAt: now, paced: accepted, pacedAt: now, recent: Infinity };
      this.#progress.set(socket, progress);
      return progress;
    }
    progress.recent = accepted - progress.accepted;
    if (progress.recent > 0) progress.changedAt = now;
    progress.accepted = accepted;
    if (accepted - progress.paced >= this.limits.pressureBytes) {
      progress.paced = accepted;
      progress.pacedAt = now;
    }
    return progress;
  }

  #add(keyId: string | null, bytes: number): void {
    this.#bytes += bytes;
    const unsent = (this.#bytesByKey.get(keyId) ?? 0) + bytes;
    if (unsent === 0) this.#bytesByKey.delete(keyId);
    else this.#bytesByKey.set(keyId, unsent);
  }
}
