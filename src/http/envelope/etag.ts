import { hash } from 'node:crypto';
import xxhash, { type XXHashAPI } from 'xxhash-wasm';

/** Longer bodies are hashed in pieces: WebAssembly memory grows to the size of a piece and never shrinks. */
const PIECE_BYTES = 256 * 1024;

/** 96 bits in base64url. */
const TAG_LENGTH = 16;

/**
 * Makes weak ETags (RFC 9110, 8.8.3). A 304 is free, so a tag must come from an answer: it is keyed with a secret and bound
 * to its address. Otherwise a client could compute the tag of data it guesses, or try a tag of another creator, and be told
 * for free whether it is right. Bodies are hashed by xxHash, because SHA-1 was a tenth of the cost of a list.
 */
export class WeakEtags {
  private constructor(
    private readonly digests: XXHashAPI,
    private readonly secret: string,
  ) {}

  static async load(secret: string): Promise<WeakEtags> {
    return new WeakEtags(await xxhash(), secret);
  }

  /** @param target path and query @param bytes the part of an answer that does not depend on the request
   * @param data what `meta` says of the data, such as the game of a list */
  tagOf(target: string, bytes: Buffer, data: Readonly<Record<string, unknown>>): string {
    // No target has a blank. A third of the cost of an HMAC; cut digests cannot be extended.
    const text = `etag ${this.secret} ${target} ${this.#digest(bytes).toString(16)} ${JSON.stringify(data)}`;
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

/** Whether a condition is `*`: it matches whatever there is, and does not show that the client has it. */
export const matchesAnything = (header: string | undefined): boolean => header?.trim() === '*';

/** RFC 9110, 13.1.2: whether a tag is in a list of tags, compared weakly. */
export function matchesEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  const opaque = etag.slice(2);
  return header.split(',').some((tag) => {
    const trimmed = tag.trim();
    return (trimmed.startsWith('W/') ? trimmed.slice(2) : trimmed) === opaque;
  });
}
