// @ts-check
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { DamagedFileError } from './segment-file.mjs';

const CHECKSUM_BYTES = 4;

/** Writes a bitmap of dead profiles, with its checksum. @param {string} path @param {Uint32Array} dead */
export function writeDead(path, dead) {
  const bitmap = Buffer.from(dead.buffer, dead.byteOffset, dead.byteLength);
  const checksum = Buffer.alloc(CHECKSUM_BYTES);
  checksum.writeUInt32LE(crc32(bitmap));
  writeFileSync(path, Buffer.concat([bitmap, checksum]), { flush: true });
}

/** Reads a bitmap of dead profiles. @param {string} folder @param {string | null} name null for none
 * @param {number} count profiles of the segment @returns {Uint32Array | null} @throws Error if the file is missing or damaged */
export function readDead(folder, name, count) {
  if (name === null) return null;
  const path = join(folder, name);
  const bytes = readFileSync(path);
  const bitmap = new Uint32Array(Math.ceil(count / 32));
  const isWhole = bytes.length === bitmap.byteLength + CHECKSUM_BYTES;
  if (!isWhole || bytes.readUInt32LE(bitmap.byteLength) !== crc32(bytes.subarray(0, bitmap.byteLength)))
    throw new DamagedFileError(`${path} is damaged`);
  bytes.copy(new Uint8Array(bitmap.buffer));
  return bitmap;
}
