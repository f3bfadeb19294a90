import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { OperatorError } from './operator-error.js';

const MAX_BYTES = 1024 ** 2;

/**
 * Reads a file that an option names, such as a price list.
 * @throws OperatorError if it is not a regular file of at most 1 MiB: a pipe could block, and a device never ends
 */
export async function readSmallFile(path: string): Promise<string> {
  const stats = await stat(path);
  // EISDIR errors lack the path.
  if (stats.isDirectory()) throw Object.assign(new Error(`${path} is a folder`), { code: 'EISDIR', path });
  if (!stats.isFile()) {
    throw new OperatorError('invalid_file', `${path} is not a regular file: name a file of at most 1 MiB`);
  }
  const tooLarge = () => new OperatorError('invalid_file', `${path} is larger than 1 MiB: name a smaller file`);
  if (stats.size > MAX_BYTES) throw tooLarge();
  // Files of the kernel have size 0, whatever they contain. `end` is inclusive: it reads one byte more than is accepted.
  const stream = createReadStream(path, { end: MAX_BYTES });
  const content = await text(stream);
  if (stream.bytesRead > MAX_BYTES) throw tooLarge();
  return content;
}
