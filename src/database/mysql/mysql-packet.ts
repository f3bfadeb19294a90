import type { PoolConnection } from 'mysql2';
import { query } from './mysql-connection.js';

/** Reads the maximum size of a message, which is a statement with its values. It is fixed when a connection is opened. */
export const SELECT_MAX_PACKET = 'SELECT @@max_allowed_packet AS bytes';

/** Bytes of a message reserved for the text of the statement. */
const STATEMENT_BYTES = 4 * 1024;

/** Bytes of a message reserved for the statement and the columns beside the document. */
const ROW_BYTES = 16 * 1024;

const packetSizes = new WeakMap<PoolConnection, number>();

/** Returns `max_allowed_packet` in bytes, read once per connection. */
export async function readMaxPacket(connection: PoolConnection, timeoutMs: number): Promise<number> {
  const cached = packetSizes.get(connection);
  if (cached !== undefined) return cached;
  const [row] = await query<{ readonly bytes: unknown }[]>(connection, SELECT_MAX_PACKET, [], timeoutMs);
  const packet = Number(row?.bytes);
  packetSizes.set(connection, packet);
  return packet;
}

/** Returns the maximum bytes of values in one statement. */
export const maxValueBytes = (packet: number): number => packet - STATEMENT_BYTES;

/** Returns the maximum length of a document in bytes. */
export const maxDocumentBytes = (packet: number): number => packet - ROW_BYTES;

/** Describes a row or document that does not fit, worded to follow "is". */
export const packetLimitReason = (packet: number): string =>
  `larger than the database accepts: its max_allowed_packet is ${packet.toLocaleString('en')} bytes`;
