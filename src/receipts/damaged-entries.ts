import { crc32 } from 'node:zlib';
import { ENTRY_HEADER_BYTES } from './outage-entry.js';

/** Reads bytes of a file; fewer at its end. */
export type ReadBytes = (position: number, length: number) => Promise<Buffer>;

/** Place at which a search for an intact entry stopped. */
export interface SearchResult {
  readonly offset: number;
  readonly isIntact: boolean;
}

const CHUNK_BYTES = 64 * 1024;

/** Maximum body of an entry that is searched for. Low, because each possible length costs a checksum. */
const MAX_BODY_BYTES = 1024 * 1024;

/** Disks write whole sectors, and kernels whole pages, so that an unfinished write stops at the end of a sector. */
const SECTOR_BYTES = 512;

/** Searches for the next intact entry, byte by byte.
 * @param stopsAtEndMark whether the entries end before the first mark, as in a file of unknown length. Bytes after it may be older. */
export async function findIntactEntry(
  read: ReadBytes,
  start: number,
  end: number,
  stopsAtEndMark: boolean,
): Promise<SearchResult> {
  for (let base = start; base < end; base += CHUNK_BYTES) {
    const wanted = Math.min(CHUNK_BYTES + ENTRY_HEADER_BYTES + MAX_BODY_BYTES, end - base);
    const bytes = await read(base, wanted);
    for (let at = 0; at < CHUNK_BYTES && at + ENTRY_HEADER_BYTES <= bytes.length; at += 1) {
      const length = bytes.readUInt32LE(at);
      const checksum = bytes.readUInt32LE(at + 4);
      if (length === 0 && checksum === 0 && stopsAtEndMark) return { offset: base + at, isIntact: false };
      const bodyStart = at + ENTRY_HEADER_BYTES;
      if (length === 0 || length > MAX_BODY_BYTES || bodyStart + length > bytes.length) continue;
      if (crc32(bytes.subarray(bodyStart, bodyStart + length)) === checksum)
        return { offset: base + at, isIntact: true };
    }
  }
  return { offset: end, isIntact: false };
}

/** Returns whether bytes up to this end are the start of an entry whose process was killed while it wrote the entry.
 * @param entryEnd end of the entry by its header */
export function isUnfinishedWrite(dataEnd: number, entryEnd: number): boolean {
  const sectorEnd = Math.ceil(dataEnd / SECTOR_BYTES) * SECTOR_BYTES;
  // The last bytes that were written may be zeros, too.
  return sectorEnd < entryEnd && sectorEnd - dataEnd < ENTRY_HEADER_BYTES;
}
