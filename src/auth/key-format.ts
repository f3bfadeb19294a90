import { hash, randomBytes } from 'node:crypto';

/** Makes a key recognisable, to people and to scanners for leaked secrets. */
const PREFIX = 'cdk_';
const RANDOM_BYTES = 20;
const RANDOM_LENGTH = RANDOM_BYTES * 2;
const CHECKSUM_LENGTH = 12;
const FORM = new RegExp(`^${PREFIX}[0-9a-f]{${RANDOM_LENGTH + CHECKSUM_LENGTH}}$`);

/**
 * The form of API keys: prefix, 160 random bits, checksum. The checksum is keyed with a secret of the installation:
 * a mistyped key is refused without a look into the store, and so is one that somebody made up.
 */
export class KeyFormat {
  constructor(private readonly secret: string) {}

  create(): string {
    const body = PREFIX + randomBytes(RANDOM_BYTES).toString('hex');
    return body + this.#checksum(body);
  }

  /** Whether a text can be a key of this installation at all. */
  isWellFormed(text: string): boolean {
    if (!FORM.test(text)) return false;
    const end = text.length - CHECKSUM_LENGTH;
    return this.#checksum(text.slice(0, end)) === text.slice(end);
  }

  #checksum(body: string): string {
    // A third of what an HMAC costs. Bodies of one length and a cut digest leave nothing to extend.
    return hash('sha256', this.secret + body, 'hex').slice(0, CHECKSUM_LENGTH);
  }
}

/** What is stored instead of the key. */
export const hashKey = (key: string): string => hash('sha256', key, 'hex');
