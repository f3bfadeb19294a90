import xxhash, { type XXHashAPI } from 'xxhash-wasm';

/** Longer bodies are hashed in pieces: WebAssembly memory grows to the size of a piece and never shrinks. */
const PIECE_BYTES = 256 * 1024;

/** Makes weak ETags (RFC 9110, 8.8.3). xxHash, because SHA-1 was a tenth of the cost of a list. */
export class WeakEtags {
  private constructor(private readonly digests: XXHashAPI) {}

  static async load(): Promise<WeakEtags> {
    return new WeakEtags(await xxhash());
  }

  /** @param bytes the part of an answer that does not depend on the request
   * @param data what `meta` says of the data, such as the game of a list */
  tagOf(bytes: Buffer, data: Readonly<Record<string, unknown>>): string {
    const about = Object.keys(data).length === 0 ? '' : `-${this.digests.h64ToString(JSON.stringify(data))}`;
    return `W/"${this.#digest(bytes).toString(36)}${about}"`;
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

/** RFC 9110, 13.1.2: a list of tags, compared weakly, or `*` for anything there is. */
export function matchesEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  const opaque = etag.slice(2);
  return header.split(',').some((tag) => {
    const trimmed = tag.trim();
    return trimmed === '*' || (trimmed.startsWith('W/') ? trimmed.slice(2) : trimmed) === opaque;
  });
}
