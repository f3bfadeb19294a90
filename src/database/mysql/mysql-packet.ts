import type { PoolConnection } from 'mysql2';
import { query } from './mysql-connection.js';

/** What the server takes as one message, a statement with its values. A connection keeps the value that it began with. */
export const PACKET = 'SELECT @@max_allowed_packet AS bytes';

/** Room in a message for the text of a statement. */
const STATEMENT_BYTES = 4 * 1024;

/** Room in a message for the columns of a row beside its document, too. */
const ROW_BYTES = 16 * 1024;

const packets = new WeakMap<PoolConnection, number>();

/** The bytes of a packet, asked once a connection. */
export async function packetOf(connection: PoolConnection, timeoutMs: number): Promise<number> {
  const known = packets.get(connection);
  if (known !== undefined) return known;
  const [row] = await query<{ readonly bytes: unknown }[]>(connection, PACKET, [], timeoutMs);
  const packet = Number(row?.bytes);
  packets.set(connection, packet);
  return packet;
}

/** The most bytes of values that a statement may have. */
export const maxValueBytes = (packet: number): number => packet - STATEMENT_BYTES;

/** The longest document that may be stored. */
export const maxDocumentBytes = (packet: number): number => packet - ROW_BYTES;

/** What a row or a document that does not fit is. */
export const largerThanPacket = (packet: number): string =>
  `larger than the database takes: its max_allowed_packet is ${packet.toLocaleString('en')} bytes`;
