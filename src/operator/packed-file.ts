import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { PRIVATE_FILE_MODE } from './new-folder.js';
import { OperatorError } from './operator-error.js';

/** Size and checksum of a file, as a manifest lists them. */
export interface FileSeal {
  readonly bytes: number;
  /** Hexadecimal. */
  readonly sha256: string;
}

/** Bytes that may wait for the compressing thread, so that it never waits for the next chunk. */
const WAITING_BYTES = 1024 * 1024;

/** Writes a new gzip file that only its owner may read, and flushes it. @param level of compression, 1 to 9 */
export async function writePackedFile(
  path: string,
  chunks: AsyncIterable<string | Buffer>,
  { signal, level = 6 }: { readonly signal: AbortSignal; readonly level?: number },
): Promise<FileSeal> {
  const hash = createHash('sha256');
  let bytes = 0;
  const options = { level, writableHighWaterMark: WAITING_BYTES };
  await pipeline(
    chunks,
    createGzip(options),
    async function* (compressed: AsyncIterable<Buffer>) {
      for await (const chunk of compressed) {
        hash.update(chunk);
        bytes += chunk.length;
        yield chunk;
      }
    },
    createWriteStream(path, { flags: 'wx', mode: PRIVATE_FILE_MODE, flush: true }),
    { signal },
  );
  return { bytes, sha256: hash.digest('hex') };
}

/** Verifies size and checksum of a file. @param copyOf what to say that another copy is of, such as `archive`
 * @throws OperatorError if the file is missing or differs */
export async function requireIntact(path: string, { bytes, sha256 }: FileSeal, copyOf: string): Promise<void> {
  const invalid = (problem: string) =>
    new OperatorError('invalid_file', `${path} ${problem}; use another copy of the ${copyOf}`);
  const stats = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw invalid('is missing');
    throw error;
  });
  // A pipe or a device could be read without end.
  if (!stats.isFile()) throw invalid('is not a regular file');
  if (stats.size !== bytes) throw invalid(`has ${stats.size} bytes instead of ${bytes}`);
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  if (hash.digest('hex') !== sha256) throw invalid('was changed: its checksum does not match');
}
