// @ts-check

/** Numbers that are read at a time. */
const WINDOW = 65_536;

/** File with lists of numbers.
 * @typedef {{ readonly position: number, readInto: (target: NodeJS.ArrayBufferView, offset: number) => void }} Source */

/** Reads lists that follow one another in a file, with few calls of the system. */
export class SequentialReader {
  #source;
  #window = new Uint32Array(0);
  #start = 0;

  /** @param {Source} source `position` is its end */
  constructor(source) {
    this.#source = source;
  }

  /** Numbers of the file around the last position that `seek` found. */
  get window() {
    return this.#window;
  }

  /** @param {number} offset in bytes @param {number} count @returns {Uint32Array} */
  readNumbers(offset, count) {
    if (count > WINDOW) {
      const numbers = new Uint32Array(count);
      this.#source.readInto(numbers, offset);
      return numbers;
    }
    const from = this.seek(offset, count);
    return this.#window.slice(from, from + count);
  }

  /** Moves the window over a list, without a copy of the list. @param {number} offset in bytes @param {number} count
   * @returns {number} position of the list in the window */
  seek(offset, count) {
    const from = (offset - this.#start) / 4;
    if (from >= 0 && from + count <= this.#window.length && Number.isInteger(from)) return from;
    const left = Math.floor((this.#source.position - offset) / 4);
    this.#window = new Uint32Array(Math.max(count, Math.min(WINDOW, left)));
    this.#source.readInto(this.#window, offset);
    this.#start = offset;
    return 0;
  }
}
