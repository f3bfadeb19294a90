import { readlink, realpath, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join } from 'node:path';

/** The system follows at most this many links. */
const MAX_LINKS = 40;

/**
 * Returns the identities of a file: its canonical path, and its device and inode if it exists. Two names of a file share one
 * of them. The path matters for files that other processes create and delete meanwhile.
 */
export async function fileIdentities(path: string): Promise<string[]> {
  const inode = await inodeOf(path);
  const canonical = await canonicalPath(path, MAX_LINKS);
  return inode === null ? [canonical] : [inode, canonical];
}

async function inodeOf(path: string): Promise<string | null> {
  const stats = await stat(path, { bigint: true }).catch(() => null);
  return stats === null ? null : `${stats.dev} ${stats.ino}`;
}

/** Returns the inode of the nearest folder that exists, and the rest of the path. Links are followed, even to missing files. */
async function canonicalPath(path: string, links: number): Promise<string> {
  const folder = dirname(path);
  const target = links === 0 ? null : await readlink(path).catch(() => null);
  if (target !== null) {
    return canonicalPath(isAbsolute(target) ? target : join(await realpath(folder), target), links - 1);
  }
  const parent = (await inodeOf(folder)) ?? (folder === path ? '' : await canonicalPath(folder, links));
  return `${parent}/${basename(path)}`;
}
