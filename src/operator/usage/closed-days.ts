import type { Command } from 'commander';
import type { Database } from '../../database/database.js';
import type { UsageWriterEntity } from '../../receipts/usage.entities.js';
import { WriterRegistry } from '../../receipts/writer-registry.js';
import { OperatorError } from '../operator-error.js';

/** Clocks of machines may differ by so much: days stay open that long by the clock of the command. */
const MARGIN_MS = 60_000;

/** A process publishes its watermark every few seconds: after this time without it is stopped, or cut off. */
const SILENT_MS = 60_000;

/** The option `--dismiss`. */
export interface Dismissal {
  readonly dismiss?: readonly string[];
}

export const withDismissal = (command: Command): Command =>
  command.option(
    '--dismiss <writer>',
    'do not wait for this process: it is lost for good, with what it has not recorded; may be repeated',
    (id: string, others: readonly string[] | undefined) => [...(others ?? []), id],
  );

/** Why days up to an instant can still get records, in one line; null once they are closed. */
export async function whyOpen(database: Database, lastMs: number): Promise<string | null> {
  const from = lastMs + 1 + MARGIN_MS;
  if (Date.now() < from) return `records may come until ${minute(from)}, so try again then`;
  const open = (await new WriterRegistry(database).list())
    .filter((writer) => writer.settled_until <= lastMs)
    .toSorted((a, b) => a.settled_until - b.settled_until);
  const [first] = open;
  if (first === undefined) return null;
  const others = open.length === 1 ? '' : `; so do ${open.length - 1} more, which "creator-data doctor" shows`;
  const whatToDo = isSilent(first)
    ? `start it again, or add --dismiss ${first.writer_id} if it is lost for good`
    : 'wait for it';
  return `${describeWriter(first)}, ${progressOf(first)}: ${whatToDo}${others}`;
}

/** Takes processes that are lost for good out of the registry. @throws OperatorError for one that is alive or unknown */
export async function dismissWriters(database: Database, { dismiss = [] }: Dismissal): Promise<void> {
  const registry = new WriterRegistry(database);
  const writers = dismiss.length === 0 ? [] : await registry.list();
  for (const id of dismiss) {
    const writer = writers.find(({ writer_id }) => writer_id === id);
    if (writer === undefined) {
      throw new OperatorError('not_found', `there is no process ${id} to dismiss: leave --dismiss ${id} out`);
    }
    if (!isSilent(writer)) {
      throw new OperatorError('invalid_arguments', `${describeWriter(writer)}, is alive: wait for it, or stop it`);
    }
    await registry.remove(id);
  }
}

export const isSilent = ({ seen_at }: UsageWriterEntity): boolean => Date.now() - seen_at > SILENT_MS;

export const describeWriter = ({ writer_id, host, pid, seen_at }: UsageWriterEntity): string =>
  `process ${pid} on ${host} (writer ${writer_id}), last seen ${second(seen_at)}`;

const progressOf = ({ settled_until }: UsageWriterEntity): string =>
  settled_until === 0
    ? 'has records of an outage to settle'
    : `has recorded what it received before ${second(settled_until)}, and not all since`;

const instant = (ms: number, form: string): string =>
  `${new Date(ms).toISOString().slice(0, form.length).replace('T', ' ')} UTC`;
const minute = (ms: number): string => instant(ms, 'YYYY-MM-DDTHH:MM');
const second = (ms: number): string => instant(ms, 'YYYY-MM-DDTHH:MM:SS');
