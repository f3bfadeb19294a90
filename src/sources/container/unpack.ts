import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';

const CHUNK_BYTES = 64 * 1024;

/** Beginnings of files that are no text, and what to do about them. */
const REFUSED: readonly { readonly begins: readonly number[]; readonly reason: string }[] = [
  { begins: [0xfd, 0x37, 0x7a, 0x58, 0x5a], reason: 'packed by xz: unpack it with xz -dk' },
  { begins: [0x28, 0xb5, 0x2f, 0xfd], reason: 'packed by zstd: unpack it with zstd -d' },
  { begins: [0x42, 0x5a, 0x68], reason: 'packed by bzip2: unpack it with bunzip2 -k' },
  { begins: [0x50, 0x4b, 0x03, 0x04], reason: 'a ZIP archive: unpack it and give the files in it' },
  { begins: [0xff, 0xfe], reason: 'in UTF-16: convert it to UTF-8 with iconv -f UTF-16 -t UTF-8' },
  { begins: [0xfe, 0xff], reason: 'in UTF-16: convert it to UTF-8 with iconv -f UTF-16 -t UTF-8' },
];

const GZIP = [0x1f, 0x8b];
const UTF8_MARK = [0xef, 0xbb, 0xbf];

/** A whole input that cannot be read, or not to its end; what came before it counts. */
export class UnreadableInput extends Error {}

const beginsWith = (bytes: Buffer, begins: readonly number[]): boolean =>
  begins.every((byte, index) => bytes[index] === byte);

/** The bytes of an input: unpacked if it is a gzip file, whatever its name, and without a byte order mark. @throws UnreadableInput */
export async function* unpacked(input: Readable): AsyncGenerator<Buffer> {
  const [head, rest] = await headOf(input);
  if (head.length === 0) return;
  if (!beginsWith(head, GZIP)) {
    yield* plain(head, rest);
    return;
  }
  const gunzip = createGunzip({ chunkSize: CHUNK_BYTES });
  const feeding = feed(head, rest, gunzip);
  try {
    const [first, others] = await headOf(gunzip);
    yield* plain(first, others);
  } catch (error) {
    if (error instanceof UnreadableInput) throw error;
    throw new UnreadableInput(`the gzip file is damaged or was cut off (${(error as Error).message})`, {
      cause: error,
    });
  } finally {
    gunzip.destroy();
    await feeding;
  }
}

async function* plain(head: Buffer, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  const refused = REFUSED.find(({ begins }) => beginsWith(head, begins));
  if (refused !== undefined) throw new UnreadableInput(refused.reason);
  const first = beginsWith(head, UTF8_MARK) ? head.subarray(UTF8_MARK.length) : head;
  if (first.length > 0) yield first;
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
}

/** The first bytes, enough to tell what they are, and what follows. */
async function headOf(input: Readable): Promise<[Buffer, AsyncIterator<Buffer>]> {
  const chunks = input[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  let head: Buffer = Buffer.alloc(0);
  while (head.length < 8) {
    const { done, value } = await chunks.next();
    if (done === true) break;
    head = head.length === 0 ? value : Buffer.concat([head, value]);
  }
  return [head, chunks];
}

/** Writes into the unpacker no faster than it is read. An error of it is its reader's. */
async function feed(head: Buffer, rest: AsyncIterator<Buffer>, gunzip: ReturnType<typeof createGunzip>): Promise<void> {
  try {
    for (let chunk: Buffer | null = head; chunk !== null;) {
      if (gunzip.destroyed) return;
      if (!gunzip.write(chunk)) await drained(gunzip);
      const next = await rest.next();
      chunk = next.done === true ? null : next.value;
    }
    gunzip.end();
  } catch (error) {
    gunzip.destroy(error as Error);
  }
}

function drained(gunzip: ReturnType<typeof createGunzip>): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      gunzip.off('drain', done).off('close', done).off('error', done);
      resolve();
    };
    gunzip.once('drain', done).once('close', done).once('error', done);
  });
}
