type Numbers = Uint16Array | Uint32Array;

/** A typed array that numbers are appended to: a plain array would take two to four times the memory. */
export class GrowingArray<T extends Numbers> {
  length = 0;

  /** `data` beyond `length` is unused room. */
  constructor(
    public data: T,
    private readonly allocate: (length: number) => T,
  ) {}

  static units = () => new GrowingArray(new Uint16Array(1024), (length) => new Uint16Array(length));
  static integers = () => new GrowingArray(new Uint32Array(1024), (length) => new Uint32Array(length));

  push(value: number): void {
    if (this.length === this.data.length) {
      const larger = this.allocate(Math.ceil(this.length * 1.5));
      larger.set(this.data);
      this.data = larger;
    }
    this.data[this.length++] = value;
  }

  /** The numbers without unused room, in an array of their own. */
  trimmed(): T {
    return this.data.slice(0, this.length) as T;
  }
}
