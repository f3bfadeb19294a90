import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib';
import { decodeRecords, encodeRecords, type UsageGroup } from './usage-record.js';

/** Length and CRC-32 of what follows. */
export const ENTRY_HEADER_BYTES = 8;

/** A length of 0, where no entry follows. */
export const END_OF_ENTRIES = Buffer.alloc(ENTRY_HEADER_BYTES);

/** Deflated: random request IDs aside, records of one outage are much alike. */
export function encodeEntry(groups: readonly UsageGroup[]): Buffer {
  const text = groups.map(({ id, day, records }) => `${id} ${day} ${encodeRecords(records)}`).join('\n');
  const body = deflateRawSync(text);
  const header = Buffer.alloc(ENTRY_HEADER_BYTES);
  header.writeUInt32LE(body.length, 0);
  header.writeUInt32LE(crc32(body), 4);
  return Buffer.concat([header, body]);
}

/** Length of an entry's body; 0 where there is none. */
export const bodyLength = (header: Buffer): number => (header.length < ENTRY_HEADER_BYTES ? 0 : header.readUInt32LE(0));

/** @returns null for an entry that was not written whole */
export function decodeEntry(header: Buffer, body: Buffer): UsageGroup[] | null {
  if (body.length !== bodyLength(header) || crc32(body) !== header.readUInt32LE(4)) return null;
  return String(inflateRawSync(body))
    .split('\n')
    .map((line) => {
      const [id = '', day, records = ''] = line.split(' ');
      return { id, day: Number(day), records: decodeRecords(records) };
    });
}
