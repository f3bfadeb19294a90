import { hash } from 'node:crypto';
import xxhash, { type XXHashAPI } from 'xxhash-wasm';

/** Longer bodies are hashed in pieces, because WebAssembly memory never shrinks. */
const PIECE_BYTES = 256 * 1024;

/** 96 bits in base64url. */
const TAG_LENGTH = 16;

/**
 * Creates weak ETags (RFC 9110, 8.8.3). A 304 is free, so tags are keyed with a secret and bound to their address. Otherwise
 * a client could compute the tag of guessed data, or send the tag of another creator, and learn for free whether it matches.
 * Bodies are hashed with xxHash, because SHA-1 took a tenth of the CPU time of a list.
 */
export class WeakEtags {
  private constructor(
    private readonly digests: XXHashAPI,
    private readonly secret: string,
  ) {}

  static async load(secret: string): Promise<WeakEtags> {
    return new WeakEtags(await xxhash(), secret);
  }

  /** @param target path and query @param body without `meta` @param meta its members that describe the data */
  createTag(target: string, body: Buffer, meta: Readonly<Record<string, unknown>>): string {
    // Unambiguous, because a target has no blank. A keyed hash is enough: truncated digests cannot be extended, and an HMAC
    // takes three times as long.
    const text = `etag ${this.secret} ${target} ${this.#digest(body).toString(16)} ${JSON.stringify(meta)}`;
    return `W/"${hash('sha256', text, 'base64url').slice(0, TAG_LENGTH)}"`;
  }

  #digest(bytes: Buffer): bigint {
    // Stryker disable next-line ConditionalExpression,EqualityOperator: both ways make the same digest
    if (bytes.length <= PIECE_BYTES) return this.digests.h64Raw(bytes);
    const digest = this.digests.create64();
    for (let start = 0; start < bytes.length; start += PIECE_BYTES) {
      digest.update(bytes.subarray(start, start + PIECE_BYTES));
    }
    return digest.digest();
  }
}

/** Returns whether a condition is `*`. It matches any data, so it does not prove that the client has the current data. */
export const isWildcard = (header: string | undefined): boolean => header?.trim() === '*';

/** Compares a tag weakly with the tags of `If-None-Match` (RFC 9110, 13.1.2). */
export function matchesEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  const opaque = etag.slice(2);
  return header.split(',').some((tag) => {
    const trimmed = tag.trim();
    return (trimmed.startsWith('W/') ? trimmed.slice(2) : trimmed) === opaque;
  });
}
