import { hostname } from 'node:os';
import type { Command } from 'commander';
import type { Database } from '../../database/database.js';
import { isAlive } from '../../receipts/file-owner.js';
import type { UsageWriterEntity } from '../../receipts/usage.entities.js';
import { COMMAND_CHANGE_MS, WriterRegistry } from '../../receipts/writer-registry.js';
import type { Audit } from '../audit/audit.js';
import { OperatorError } from '../operator-error.js';

/** Allowed difference between the clocks of machines. By the clock of the command, a day stays open this much longer. */
const CLOCK_SKEW_MS = 60_000;

/** Time without a published watermark, normally every few seconds, after which a process counts as stopped or cut off. */
const STALE_AFTER_MS = 60_000;

/** The option `--dismiss`. */
export interface DismissOptions {
  readonly dismiss?: readonly string[];
}

/** Adds `--dismiss`. */
export const addDismissOption = (command: Command): Command =>
  command.option(
    '--dismiss <writer>',
    'do not wait for this process, which is lost together with its unrecorded usage; may be repeated',
    (id: string, previous: readonly string[] | undefined) => [...(previous ?? []), id],
  );

/** Explains in one line why days up to an instant can still get records; null once they are closed.
 * @param dismiss processes not to wait for */
export async function explainOpenDays(
  database: Database,
  lastMs: number,
  dismiss: readonly string[] = [],
): Promise<string | null> {
  const closesAt = lastMs + 1 + CLOCK_SKEW_MS;
  if (Date.now() < closesAt) return `records can arrive until ${formatMinute(closesAt)}: repeat the command then`;
  const open = (await new WriterRegistry(database).list())
    .filter(({ writer_id, settled_until }) => settled_until <= lastMs && !dismiss.includes(writer_id))
    .toSorted((a, b) => a.settled_until - b.settled_until);
  const [first] = open;
  if (first === undefined) return null;
  const others = open.length === 1 ? '' : ` (and ${open.length - 1} more, which "creator-data doctor" lists)`;
  const remedy = isStale(first)
    ? `restart it, or run this command with its DATA_DIR; if it is permanently lost, "creator-data usage archive --dismiss ${first.writer_id}" goes on without it`
    : 'wait for it';
  return `${describeWriter(first)}, ${describeProgress(first)}: ${remedy}${others}`;
}

/** Removes permanently lost processes from the registry. @throws OperatorError for a process that is alive or unknown */
export async function dismissWriters(
  database: Database,
  { dismiss = [] }: DismissOptions,
  audit: Audit,
): Promise<void> {
  const registry = new WriterRegistry(database, COMMAND_CHANGE_MS);
  const writers = dismiss.length === 0 ? [] : await registry.list();
  for (const id of dismiss) {
    const writer = writers.find(({ writer_id }) => writer_id === id);
    if (writer === undefined) {
      throw new OperatorError('not_found', `there is no process ${id} to dismiss: omit --dismiss ${id}`);
    }
    if (!isStale(writer)) {
      throw new OperatorError('invalid_arguments', `${describeWriter(writer)}, is alive: wait for it, or stop it`);
    }
    await registry.remove(id);
    await audit.record({ dismissed: id });
  }
}

/**
 * Removes the processes of this machine that have ended. A restored backup lists those that ran when it was made. Call it after their
 * outage files were settled, so that nothing of theirs is unrecorded.
 * @returns their number
 */
export async function dismissEndedWriters(database: Database, audit: Audit): Promise<number> {
  const registry = new WriterRegistry(database, COMMAND_CHANGE_MS);
  const ended = (await registry.list()).filter(({ host, pid }) => host === hostname() && !isAlive(pid));
  for (const { writer_id } of ended) {
    await registry.remove(writer_id);
    await audit.record({ dismissed: writer_id });
  }
  return ended.length;
}

/** Returns the processes that seem to run. A service beside a replaced file of SQLite does not update its row. */
export async function listRunningWriters(database: Database): Promise<UsageWriterEntity[]> {
  const writers = await new WriterRegistry(database).list();
  return writers.filter((writer) => !isStale(writer) || (writer.host === hostname() && isAlive(writer.pid)));
}

export const isStale = ({ seen_at }: UsageWriterEntity): boolean => Date.now() - seen_at > STALE_AFTER_MS;

export const describeWriter = ({ writer_id, host, pid, seen_at }: UsageWriterEntity): string =>
  `process ${pid} on ${host} (writer ${writer_id}), last seen ${formatSecond(seen_at)}`;

const describeProgress = ({ settled_until }: UsageWriterEntity): string =>
  settled_until === 0
    ? 'still has to settle records of an outage'
    : `has recorded all requests received before ${formatSecond(settled_until)}, but not all later ones`;

const formatInstant = (ms: number, pattern: string): string =>
  `${new Date(ms).toISOString().slice(0, pattern.length).replace('T', ' ')} UTC`;
const formatMinute = (ms: number): string => formatInstant(ms, 'YYYY-MM-DDTHH:MM');
const formatSecond = (ms: number): string => formatInstant(ms, 'YYYY-MM-DDTHH:MM:SS');
