// @ts-check

/** List of numbers that grows, in a fraction of the memory of an array of objects or doubles.
 * @template {Uint32Array | Float64Array} A */
export class NumberList {
  /** @type {A} */
  #values;
  length = 0;

  /** @param {new (size: number) => A} Numbers */
  constructor(Numbers) {
    this.Numbers = Numbers;
    this.#values = new Numbers(1024);
  }

  /** @param {number} value */
  push(value) {
    if (this.length === this.#values.length) {
      const values = new this.Numbers(this.length * 2);
      values.set(this.#values);
      this.#values = values;
    }
    this.#values[this.length++] = value;
  }

  /** @param {number} index below the length */
  at(index) {
    return /** @type {number} */ (this.#values[index]);
  }

  /** @param {number} index below the length @param {number} value */
  set(index, value) {
    this.#values[index] = value;
  }

  /** Returns the numbers, without a copy. @returns {A} */
  toArray() {
    return /** @type {A} */ (this.#values.subarray(0, this.length));
  }
}
