import { hash, randomBytes } from 'node:crypto';

/** Prefixes by which people and scanners for leaked secrets recognise a key. */
const PREFIX = 'cdk_';
const TEST_PREFIX = 'cdk_test_';
const RANDOM_BYTES = 20;
const CHECKSUM_LENGTH = 12;
const KEY_PATTERN = new RegExp(`^(?:${PREFIX}|${TEST_PREFIX})[0-9a-f]{${RANDOM_BYTES * 2 + CHECKSUM_LENGTH}}$`);

/** Reports whether a text begins like a test key. */
export const isTestKey = (text: string): boolean => text.startsWith(TEST_PREFIX);

/** Format of API keys: prefix, 160 random bits, checksum. The checksum is keyed with a secret of the installation, so mistyped
 * and made-up keys are rejected without a query. One digest yields both the checksum and the stored hash. */
export class KeyFormat {
  constructor(private readonly secret: string) {}

  /** Creates a key. @returns the key and its stored hash */
  create(isTest = false): { key: string; keyHash: string } {
    const body = (isTest ? TEST_PREFIX : PREFIX) + randomBytes(RANDOM_BYTES).toString('hex');
    const digest = this.#digest(body);
    return { key: body + digest.slice(0, CHECKSUM_LENGTH), keyHash: digest.slice(CHECKSUM_LENGTH) };
  }

  /** Returns the stored hash of a key; null for a text that cannot be a key of this installation. */
  hashKey(text: string): string | null {
    if (!KEY_PATTERN.test(text)) return null;
    const digest = this.#digest(text.slice(0, -CHECKSUM_LENGTH));
    return digest.startsWith(text.slice(-CHECKSUM_LENGTH)) ? digest.slice(CHECKSUM_LENGTH) : null;
  }

  #digest(body: string): string {
    // Cheaper than an HMAC, and safe from length extension: an extended body does not match the pattern.
    return hash('sha256', this.secret + body, 'hex');
  }
}
