import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { bytesAccepted } from '../node/sockets.js';

/** Bounds on responses that clients read slowly, or not at all. */
export interface UnsentLimits {
  /** Time after which a connection is closed if it accepted no byte of its response. */
  readonly stalledMs: number;
  /** Unsent bytes above which connections that accepted nothing for `pressureTimeoutMs` are closed, the longest stalled first. */
  readonly highBytes: number;
  readonly pressureTimeoutMs: number;
  /** Unsent bytes above which no request is started. */
  readonly maxBytes: number;
  /** Maximum unsent bytes per key. Above it, new requests of the key are rejected. The excess does not count towards `maxBytes`, so
   * one key cannot stop the requests of others. */
  readonly maxBytesPerKey: number;
}

const MIB = 1024 * 1024;

export const UNSENT_LIMITS: UnsentLimits = {
  stalledMs: 30_000,
  highBytes: 32 * MIB,
  pressureTimeoutMs: 2000,
  maxBytes: 64 * MIB,
  maxBytesPerKey: 8 * MIB,
};

/** Bytes that the kernel had accepted at the last sample, and when that number last changed. */
interface Progress {
  accepted: number;
  changedAt: number;
}

/** Counts unsent bytes, and closes the connections of clients that do not read. */
export class UnsentBytes {
  /** Unsent bytes, of each key at most `maxBytesPerKey`. */
  #countedBytes = 0;
  readonly #unsentByKey = new Map<string, number>();
  readonly #progress = new WeakMap<Socket, Progress>();

  constructor(private readonly limits = UNSENT_LIMITS) {}

  get hasRoom(): boolean {
    return this.#countedBytes <= this.limits.maxBytes;
  }

  /** Returns whether a key has too many unsent bytes. */
  exceedsUnsentLimit(keyId: string): boolean {
    return this.#unsentByKey.size > 0 && (this.#unsentByKey.get(keyId) ?? 0) > this.limits.maxBytesPerKey;
  }

  /** Counts a response until it was sent, or its connection closed. @param keyId null without a valid key */
  track(response: ServerResponse, bytes: number, keyId: string | null): void {
    this.#add(keyId, bytes);
    response.once('close', () => this.#add(keyId, -bytes));
  }

  closeStalled(sockets: Iterable<Socket>): void {
    const now = performance.now();
    const stalledUnderPressure: { readonly socket: Socket; readonly changedAt: number }[] = [];
    let unsent = 0;
    for (const socket of sockets) {
      unsent += socket.writableLength;
      const stalledMs = this.#stalledMs(socket, now);
      if (stalledMs >= this.limits.stalledMs) {
        unsent -= socket.writableLength;
        socket.destroy();
      } else if (stalledMs >= this.limits.pressureTimeoutMs) {
        stalledUnderPressure.push({ socket, changedAt: now - stalledMs });
      }
    }
    for (const { socket } of stalledUnderPressure.toSorted((a, b) => a.changedAt - b.changedAt)) {
      if (unsent <= this.limits.highBytes) return;
      unsent -= socket.writableLength;
      socket.destroy();
    }
  }

  /** Returns for how long the client has accepted nothing, in milliseconds; 0 if nothing is left to send. */
  #stalledMs(socket: Socket, now: number): number {
    if (socket.writableLength === 0) return 0;
    const accepted = bytesAccepted(socket);
    const progress = this.#progress.get(socket);
    if (progress?.accepted === accepted) return now - progress.changedAt;
    this.#progress.set(socket, { accepted, changedAt: now });
    return 0;
  }

  #add(keyId: string | null, bytes: number): void {
    if (keyId === null) {
      this.#countedBytes += bytes;
      return;
    }
    const unsentBefore = this.#unsentByKey.get(keyId) ?? 0;
    const unsent = unsentBefore + bytes;
    const { maxBytesPerKey } = this.limits;
    this.#countedBytes += Math.min(unsent, maxBytesPerKey) - Math.min(unsentBefore, maxBytesPerKey);
    if (unsent === 0) this.#unsentByKey.delete(keyId);
    else this.#unsentByKey.set(keyId, unsent);
  }
}
