import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib';
import { decodeRecords, encodeRecords, type UsageGroup } from './usage-record.js';

/** Length and CRC-32 of the body. */
export const ENTRY_HEADER_BYTES = 8;

/** Header with length 0, after the last entry. */
export const END_OF_ENTRIES = Buffer.alloc(ENTRY_HEADER_BYTES);

/** Encodes groups as an entry. Compressed, because the records of an outage are alike except for their request IDs. */
export function encodeEntry(groups: readonly UsageGroup[]): Buffer {
  const text = groups.map(({ id, day, records }) => `${id} ${day} ${encodeRecords(records)}`).join('\n');
  const body = deflateRawSync(text);
  const header = Buffer.alloc(ENTRY_HEADER_BYTES);
  header.writeUInt32LE(body.length, 0);
  header.writeUInt32LE(crc32(body), 4);
  return Buffer.concat([header, body]);
}

/** Returns the length of an entry's body; 0 if there is no entry. */
export const readBodyLength = (header: Buffer): number =>
  header.length < ENTRY_HEADER_BYTES ? 0 : header.readUInt32LE(0);

/** @returns null for an entry that was only partly written */
export function decodeEntry(header: Buffer, body: Buffer): UsageGroup[] | null {
  if (body.length !== readBodyLength(header) || crc32(body) !== header.readUInt32LE(4)) return null;
  return String(inflateRawSync(body))
    .split('\n')
    .map((line) => {
      const [id = '', day, records = ''] = line.split(' ');
      return { id, day: Number(day), records: decodeRecords(records) };
    });
}
