import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';

const CHUNK_BYTES = 64 * 1024;

/** Magic numbers of unsupported formats, and how to convert them. */
const UNSUPPORTED_FORMATS: readonly { readonly magic: readonly number[]; readonly reason: string }[] = [
  { magic: [0xfd, 0x37, 0x7a, 0x58, 0x5a], reason: 'compressed with xz: decompress it with xz -dk' },
  { magic: [0x28, 0xb5, 0x2f, 0xfd], reason: 'compressed with zstd: decompress it with zstd -d' },
  { magic: [0x42, 0x5a, 0x68], reason: 'compressed with bzip2: decompress it with bunzip2 -k' },
  { magic: [0x50, 0x4b, 0x03, 0x04], reason: 'a ZIP archive: unzip it and pass the files in it' },
  { magic: [0xff, 0xfe], reason: 'in UTF-16: convert it to UTF-8 with iconv -f UTF-16 -t UTF-8' },
  { magic: [0xfe, 0xff], reason: 'in UTF-16: convert it to UTF-8 with iconv -f UTF-16 -t UTF-8' },
];

const GZIP = [0x1f, 0x8b];
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

/** An input that cannot be read to its end. Values before the problem still count. */
export class UnreadableInputError extends Error {}

const startsWith = (bytes: Buffer, prefix: readonly number[]): boolean =>
  prefix.every((byte, index) => bytes[index] === byte);

/**
 * Yields the bytes of an input without a byte order mark. A gzip file is decompressed, whatever its name.
 *
 * @throws UnreadableInputError
 */
export async function* decompress(input: Readable): AsyncGenerator<Buffer> {
  const [head, rest] = await readHead(input);
  if (head.length === 0) return;
  if (!startsWith(head, GZIP)) {
    yield* readText(head, rest);
    return;
  }
  const gunzip = createGunzip({ chunkSize: CHUNK_BYTES });
  const writing = writeInput(head, rest, gunzip);
  try {
    const [first, others] = await readHead(gunzip);
    yield* readText(first, others);
  } catch (error) {
    if (error instanceof UnreadableInputError) throw error;
    throw new UnreadableInputError(`the gzip file is damaged or truncated (${(error as Error).message})`, {
      cause: error,
    });
  } finally {
    gunzip.destroy();
    await writing;
  }
}

async function* readText(head: Buffer, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  const unsupported = UNSUPPORTED_FORMATS.find(({ magic }) => startsWith(head, magic));
  if (unsupported !== undefined) throw new UnreadableInputError(unsupported.reason);
  const first = startsWith(head, BYTE_ORDER_MARK) ? head.subarray(BYTE_ORDER_MARK.length) : head;
  if (first.length > 0) yield first;
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
}

/** Returns the first bytes of an input, enough to detect its format, and an iterator over the rest. */
async function readHead(input: Readable): Promise<[Buffer, AsyncIterator<Buffer>]> {
  const chunks = input[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  let head: Buffer = Buffer.alloc(0);
  while (head.length < 8) {
    const { done, value } = await chunks.next();
    if (done === true) break;
    head = head.length === 0 ? value : Buffer.concat([head, value]);
  }
  return [head, chunks];
}

/** Writes an input into `gunzip`, and waits while its buffer is full. The reader of `gunzip` sees its errors. */
async function writeInput(
  head: Buffer,
  rest: AsyncIterator<Buffer>,
  gunzip: ReturnType<typeof createGunzip>,
): Promise<void> {
  try {
    for (let chunk: Buffer | null = head; chunk !== null;) {
      if (gunzip.destroyed) return;
      if (!gunzip.write(chunk)) await waitForDrain(gunzip);
      const next = await rest.next();
      chunk = next.done === true ? null : next.value;
    }
    gunzip.end();
  } catch (error) {
    gunzip.destroy(error as Error);
  }
}

function waitForDrain(gunzip: ReturnType<typeof createGunzip>): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      gunzip.off('drain', done).off('close', done).off('error', done);
      resolve();
    };
    gunzip.once('drain', done).once('close', done).once('error', done);
  });
}
