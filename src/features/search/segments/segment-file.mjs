// @ts-check
// Plain JavaScript, because the worker thread of the index loads it without compiling it.
import { closeSync, fstatSync, fsyncSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs';
import { crc32 } from 'node:zlib';

/** First bytes of a file, with the version of the format. Change it when the format or the terms of profiles change. */
export const MAGIC = 'creator-data search 5\n';

/** Length of the checksum and of the size of the trailer, at the end of a file. */
const END_BYTES = 8;

const CHUNK_BYTES = 1024 * 1024;

/** Position and length of a part of a file, in bytes.
 * @typedef {{ readonly offset: number, readonly length: number }} Section */

/** A file of the index is not as it was written. */
export class DamagedFileError extends Error {}

/** Immutable file of the index. Reads come from the system's page cache, which all processes of a machine share. */
export class SegmentFile {
  #descriptor;

  /** @param {string} path */
  constructor(path) {
    this.path = path;
    this.#descriptor = openSync(path, 'r');
    this.size = fstatSync(this.#descriptor).size;
  }

  /** Reads bytes into an array. @param {NodeJS.ArrayBufferView} target @param {number} offset
   * @throws Error if the file ends before */
  readInto(target, offset) {
    const length = target.byteLength;
    if (readSync(this.#descriptor, target, 0, length, offset) !== length)
      throw new DamagedFileError(`${this.path} is damaged`);
  }

  /** @param {number} offset @param {number} length */
  read(offset, length) {
    if (length < 0 || offset + length > this.size) throw new DamagedFileError(`${this.path} is damaged`);
    const bytes = Buffer.allocUnsafe(length);
    if (length > 0) this.readInto(bytes, offset);
    return bytes;
  }

  /** Reads the trailer. @returns {unknown} @throws Error if the file is damaged or of another version */
  readTrailer() {
    if (this.size < MAGIC.length + END_BYTES) throw new DamagedFileError(`${this.path} is damaged`);
    if (this.read(0, MAGIC.length).toString('latin1') !== MAGIC)
      throw new DamagedFileError(`${this.path} has another version`);
    const length = this.read(this.size - END_BYTES, 4).readUInt32LE(0);
    return JSON.parse(this.read(this.size - END_BYTES - length, length).toString('utf8'));
  }

  /** Compares the checksum of all bytes. @throws Error if the file is damaged */
  verify() {
    const end = this.size - 4;
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    let checksum = 0;
    for (let offset = 0; offset < end; offset += CHUNK_BYTES) {
      const part = chunk.subarray(0, Math.min(CHUNK_BYTES, end - offset));
      this.readInto(part, offset);
      checksum = crc32(part, checksum);
    }
    if (this.read(end, 4).readUInt32LE(0) !== checksum) throw new DamagedFileError(`${this.path} is damaged`);
  }

  close() {
    if (this.#descriptor !== -1) closeSync(this.#descriptor);
    this.#descriptor = -1;
  }
}

/** Writes a file of the index. */
export class SegmentFileWriter {
  #descriptor;
  #chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  #used = 0;
  #checksum = 0;
  /** Bytes written so far. */
  position = 0;

  /** @param {string} path */
  constructor(path) {
    this.path = path;
    this.#descriptor = openSync(path, 'w+');
    this.write(Buffer.from(MAGIC, 'latin1'));
  }

  /** @param {NodeJS.ArrayBufferView} data */
  write(data) {
    const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
    this.position += bytes.length;
    for (let at = 0; at < bytes.length;) {
      const taken = bytes.copy(this.#chunk, this.#used, at);
      at += taken;
      this.#used += taken;
      if (this.#used === CHUNK_BYTES) this.flush();
    }
  }

  /** Writes an array as a section. @param {NodeJS.ArrayBufferView} data @returns {Section} */
  writeSection(data) {
    const offset = this.position;
    this.write(data);
    return { offset, length: data.byteLength };
  }

  /** Reads bytes that were written before. @param {NodeJS.ArrayBufferView} target @param {number} offset */
  readInto(target, offset) {
    this.flush();
    readSync(this.#descriptor, target, 0, target.byteLength, offset);
  }

  flush() {
    const part = this.#chunk.subarray(0, this.#used);
    this.#used = 0;
    this.#checksum = crc32(part, this.#checksum);
    for (let at = 0; at < part.length;) at += writeSync(this.#descriptor, part, at);
  }

  /** Ends the file, and waits until it is on the disk. @param {object} trailer */
  finish(trailer) {
    const text = Buffer.from(JSON.stringify(trailer));
    const length = Buffer.alloc(4);
    length.writeUInt32LE(text.length);
    this.write(text);
    this.write(length);
    this.flush();
    const checksum = Buffer.alloc(4);
    checksum.writeUInt32LE(this.#checksum);
    writeSync(this.#descriptor, checksum);
    fsyncSync(this.#descriptor);
    closeSync(this.#descriptor);
  }

  /** Deletes the unfinished file. */
  discard() {
    closeSync(this.#descriptor);
    unlinkSync(this.path);
  }
}
