import { Bell } from './bell.js';
import type { Line, LineReader } from './line-reader.js';
import { parseLine, type ImportKind } from './parse-line.js';
import type { RecordBuffer } from './record-buffers.js';
import { STORES } from './record-stores.js';
import { Room, type Amount } from './room.js';
import { SortingWindow } from './sorting-window.js';

/** How lines wait to be stored. */
export interface Waiting {
  /** A window is worth storing from here on. Half of `most` or less: the next one is then ready when it is stored. */
  readonly enough: Amount;
  /** As many at a time, those included that are being stored. */
  readonly most: Amount;
  readonly buffer: () => RecordBuffer;
}

/** Bad lines are kept in memory until those around them are stored. */
const MOST_REJECTED_BYTES = 16 * 1024 * 1024;

/** What a bad line takes in memory besides its text, roughly. */
const REJECTED_BYTES = 256;

/** What the source keeps waiting for longer is stored as it is. */
const PATIENCE_MS = 100;

/** A line that was not loaded, as the rejects file holds it. */
export interface Rejected {
  readonly line: number;
  readonly reason: string;
  readonly text: string;
}

/** The first bad line under `--strict`; nothing of its batch was stored. */
export class StrictImportError extends Error {
  constructor({ line, reason }: Rejected) {
    super(`line ${line}: ${reason}`);
  }
}

/** Lines that were read while those before them were stored. */
export class LineWindow {
  readonly #rejected: Rejected[] = [];
  /** How many were read, blank ones aside. */
  lines = 0;
  /** Of the input, up to here. */
  bytesRead = 0;
  #rejectedBytes = 0;

  constructor(
    readonly sorting: SortingWindow,
    private readonly enough: Amount,
  ) {}

  get isWorthStoring(): boolean {
    const { records, bytes } = this.sorting;
    return records >= this.enough.records || bytes >= this.enough.bytes || this.hasManyRejected;
  }

  get hasManyRejected(): boolean {
    return this.#rejectedBytes >= MOST_REJECTED_BYTES;
  }

  reject({ number, text }: Pick<Line, 'number' | 'text'>, reason: string): void {
    this.#rejected.push({ line: number, reason, text });
    this.#rejectedBytes += 2 * text.length + REJECTED_BYTES;
  }

  /** The bad lines since the last time, in their order. */
  takeRejected(): Rejected[] {
    this.#rejectedBytes = 0;
    return this.#rejected.splice(0).sort((a, b) => a.line - b.line);
  }
}

/**
 * Reads lines as fast as they come, into one window while the one before is stored: the slower the store, the larger
 * the windows, and the less it costs to store a record.
 */
export class Intake<K extends ImportKind> {
  readonly #room: Room;
  #window: LineWindow;
  #hasEnded = false;
  readonly #arrived = new Bell();
  readonly #taken = new Bell();
  readonly #filling: Promise<void>;

  constructor(
    private readonly kind: K,
    private readonly reader: LineReader,
    private readonly strict: boolean,
    private readonly waiting: Waiting,
  ) {
    this.#room = new Room(waiting.most);
    this.#window = this.#emptyWindow();
    this.#filling = this.#fill().finally(() => {
      this.#hasEnded = true;
      this.#arrived.ring();
    });
    // Whoever takes a window sees the error; until then it must not count as unhandled.
    this.#filling.catch(() => undefined);
  }

  /**
   * The lines that have come since the last time, as soon as they are worth it; null at the end.
   * @throws StrictImportError, or what reading failed with
   */
  async take(): Promise<LineWindow | null> {
    while (!this.#hasEnded && !this.#window.isWorthStoring) {
      const hasLines = this.#window.lines > 0;
      if (hasLines && !this.#room.isLeft) break;
      const hasCome = await this.#arrived.wait(PATIENCE_MS);
      if (hasLines && !hasCome) break;
    }
    if (this.#hasEnded) await this.#filling;
    const window = this.#window;
    if (window.lines === 0) return null;
    window.bytesRead = this.reader.bytesRead;
    this.#window = this.#emptyWindow();
    this.#taken.ring();
    return window;
  }

  /** Ends reading. */
  close(): void {
    this.reader.stop();
    this.#window.sorting.close();
  }

  async #fill(): Promise<void> {
    for await (const lines of this.reader.chunks()) {
      for (const line of lines) {
        this.#read(line);
        while (!this.#room.isLeft) {
          this.#arrived.ring();
          await this.#room.more();
        }
      }
      this.#arrived.ring();
      while (this.#window.hasManyRejected) await this.#taken.wait();
    }
  }

  #read(line: Line): void {
    if (line.text.trim() === '' && line.problem === null) return;
    const window = this.#window;
    window.lines += 1;
    const parsed = line.problem === null ? parseLine(this.kind, line.text) : { reason: line.problem };
    if ('reason' in parsed) {
      window.reject(line, parsed.reason);
      if (this.strict) throw new StrictImportError({ line: line.number, ...parsed, text: line.text });
    } else {
      const { row, related } = STORES[this.kind].prepare(parsed.record);
      window.sorting.add({ number: line.number, text: line.text, row, related });
    }
  }

  #emptyWindow(): LineWindow {
    const { buffer, enough } = this.waiting;
    return new LineWindow(new SortingWindow(STORES[this.kind], buffer(), this.#room), enough);
  }
}
