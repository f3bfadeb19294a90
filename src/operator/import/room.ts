import { Bell } from './bell.js';

/** How many records, and how much of them. */
export interface Amount {
  readonly records: number;
  readonly bytes: number;
}

/** What may wait to be stored at a time: reading goes on as what was read before is stored. */
export class Room {
  #records: number;
  #bytes: number;
  readonly #given = new Bell();

  constructor(most: Amount) {
    this.#records = most.records;
    this.#bytes = most.bytes;
  }

  get isLeft(): boolean {
    return this.#records > 0 && this.#bytes > 0;
  }

  take({ records, bytes }: Amount): void {
    this.#records -= records;
    this.#bytes -= bytes;
  }

  give({ records, bytes }: Amount): void {
    this.#records += records;
    this.#bytes += bytes;
    this.#given.ring();
  }

  /** Resolves when some is given back. */
  async more(): Promise<void> {
    await this.#given.wait();
  }
}
