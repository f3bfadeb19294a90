import type { Database } from '../database/database.js';
import { installationId } from '../database/installation-secret.js';
import { OutageJournal, type JournalLogger } from '../receipts/outage-journal.js';
import { UsageStore } from '../receipts/usage-store.js';
import { COMMAND_CHANGE_MS, WriterRegistry } from '../receipts/writer-registry.js';
import type { Output } from './output.js';

/** Settles outage files of dead processes, so that reports are complete without restarting the service. */
export async function settleOutageFiles(
  database: Database,
  folder: string,
  output: Pick<Output, 'printMessage'>,
): Promise<void> {
  const logger: JournalLogger = {
    error: ({ file }, message) => output.printMessage(`Warning: ${message}: ${file}`),
    warn: () => undefined,
    info: () => undefined,
  };
  const journal = new OutageJournal(
    folder,
    await installationId(database),
    logger,
    new WriterRegistry(database, COMMAND_CHANGE_MS),
  );
  const store = new UsageStore(database);
  await journal.adoptOrphans();
  try {
    for (let groups = await journal.readOldest(); groups !== null; groups = await journal.readOldest()) {
      await store.settle(groups);
      await journal.removeOldest();
    }
  } finally {
    await journal.close();
  }
}
