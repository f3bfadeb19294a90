import { stat } from 'node:fs/promises';

/** Returns the device and inode of a file, which are the same for every name of it; null if it does not exist. */
export async function fileIdentity(path: string): Promise<string | null> {
  const stats = await stat(path, { bigint: true }).catch(() => null);
  return stats === null ? null : `${stats.dev} ${stats.ino}`;
}
