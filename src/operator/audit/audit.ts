import { randomBytes } from 'node:crypto';
import { hostname, userInfo } from 'node:os';
import { AuditEntryEntity } from '../../database/audit-entry.entity.js';
import type { Database, Writer } from '../../database/database.js';

/** What a command changed: IDs and counts. Never a key, a name or other personal data. Undefined members are left out. */
export type AuditTarget = Readonly<Record<string, string | number | boolean | null | undefined | readonly string[]>>;

/** `started`: a command of several transactions began. `rejected`: done, except for rejected records. */
export type AuditOutcome = 'started' | 'done' | 'rejected' | 'stopped' | 'failed';

/** Maximum bytes of the columns. */
const MAX_WHO_BYTES = 255;
const MAX_TARGET_BYTES = 2000;

/** Adds the entries of one run of a command to the audit log. */
export class Audit {
  #unfinished: AuditTarget | null = null;
  #lastAt = 0;

  /** @param command name of the command, such as `keys create` */
  constructor(
    private readonly database: Database,
    private readonly command: string,
  ) {}

  /** Adds an entry in the transaction of the change. */
  add(writer: Writer, target: AuditTarget, outcome: AuditOutcome = 'done'): Promise<unknown> {
    // Entries of one millisecond would have no order.
    this.#lastAt = Math.max(Date.now(), this.#lastAt + 1);
    return writer.insert(AuditEntryEntity, [createEntry(this.#lastAt, this.command, target, outcome)]);
  }

  /** Adds an entry in a transaction of its own. */
  async record(target: AuditTarget, outcome: AuditOutcome = 'done'): Promise<void> {
    await this.database.write((writer) => this.add(writer, target, outcome));
  }

  /** Records that a command of several transactions begins, so that a killed one leaves a trace. */
  async start(target: AuditTarget): Promise<void> {
    await this.record(target, 'started');
    this.#unfinished = target;
  }

  /** Records the end of a command that was started. */
  async end(target: AuditTarget, outcome: AuditOutcome): Promise<void> {
    this.#unfinished = null;
    await this.record(target, outcome);
  }

  /** Records that a started command failed; does nothing for other commands. */
  async fail(): Promise<void> {
    if (this.#unfinished !== null) await this.end(this.#unfinished, 'failed');
  }
}

function createEntry(at: number, command: string, target: AuditTarget, outcome: AuditOutcome): AuditEntryEntity {
  const text = JSON.stringify(target);
  return {
    at,
    id: randomBytes(8).toString('hex'),
    os_user: truncate(userName()),
    host: truncate(hostname()),
    command,
    // Truncated JSON would be unreadable.
    target: Buffer.byteLength(text) <= MAX_TARGET_BYTES ? text : '{"too_long":true}',
    outcome,
  };
}

/** Returns the name of the OS user. Containers may run under an ID without a name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? '');
  }
}

const truncate = (text: string): string => Buffer.from(text).subarray(0, MAX_WHO_BYTES).toString();
