import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../until.js';
import type { TestService } from '../service/test-service.js';

export const SEARCH_PATH = '/platforms/live_platform/profiles/search';

/** Searches. @returns the IDs of the found creators */
export const idsFound = async (service: TestService, body: object): Promise<string[]> => {
  await service.untilSearchable();
  const answer = await service.post(SEARCH_PATH, body);
  if (answer.status !== 200) throw new Error(`${answer.status}`);
  return answer.body.payload.map(({ id }: { id: string }) => id);
};

/** Starts a service over the store with an index in a folder of its own, and stops it after the work. */
export async function withIndex<T>(
  service: TestService,
  folder: string,
  work: (second: TestService, folder: string) => Promise<T>,
): Promise<T> {
  const path = join(service.testDatabase.folder, folder);
  const second = await service.startSecond({ DATA_DIR: path });
  try {
    return await work(second, join(path, 'search'));
  } finally {
    await second.stop();
  }
}

/** Lists the files of a kind, such as `.segment`. */
export const filesOf = (folder: string, kind: string): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith(kind))
    .map((name) => join(folder, name));

/** Waits for the index of a service that has just started: a search waits only for a few seconds. */
export const untilIndexBuilt = (dataFolder: string): Promise<void> =>
  until('the search index is built', () => existsSync(join(dataFolder, 'search', 'manifest.json')));
