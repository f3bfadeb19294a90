import type { Database } from '../../database/database.js';
import { SELECT_MAX_PACKET } from '../../database/mysql/mysql-packet.js';
import { good, warning, type Check } from './check.js';

const MIB = 1024 ** 2;

/** A packet of this size holds the longest record, 1 MiB, in either protocol. */
const MIN_PACKET_MIB = 4;

/** Checks the length of statements that the server accepts. */
export async function checkPacket(database: Database): Promise<Check> {
  const [row] = await database.all<{ bytes: unknown }>({ sql: SELECT_MAX_PACKET }, [], { source: 'primary' });
  const mib = Number(row?.bytes) / MIB;
  const found = `max_allowed_packet is ${mib.toLocaleString('en', { maximumFractionDigits: 2 })} MiB`;
  if (mib >= MIN_PACKET_MIB) return good('packet', found);
  return warning(
    'packet',
    `${found}: longer records are rejected; set it to ${MIN_PACKET_MIB} MiB or more in the server's configuration`,
  );
}
