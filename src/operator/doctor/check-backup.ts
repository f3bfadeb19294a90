import { readdirSync, statSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { bad, good, warning, type Check } from './check.js';

const HOUR_MS = 3_600_000;

/** Maximum age of the newest backup: a daily one that failed once. */
const MAX_AGE_HOURS = 48;

interface BackupFile {
  readonly path: string;
  readonly stats: Stats;
}

/** Checks the age of the newest backup. @param path of the backup, or of a folder of backups */
export function checkBackup(path: string | undefined): Check {
  if (path === undefined) return good('backup', 'not checked: pass --backup with a backup or a folder of backups');
  let files: BackupFile[];
  try {
    files = listFiles(path);
  } catch (error) {
    return bad('backup', `${path} cannot be read (${(error as NodeJS.ErrnoException).code}): correct --backup`);
  }
  const newest = files.filter(({ stats }) => stats.size > 0).toSorted((a, b) => b.stats.mtimeMs - a.stats.mtimeMs)[0];
  if (newest === undefined) return bad('backup', `${path} has no backup: create one, or correct --backup`);
  const copies = files.filter((file) => file.path.endsWith(ENDING));
  const other = copies.find((file) => copies.includes(newest) && file.path === otherHalf(newest.path));
  // Copies with other names cannot be paired.
  if (other === undefined && newest.path !== path && copies.length === 1 && copies[0] === newest) {
    return warning('backup', `${otherHalf(newest.path)} is missing beside ${newest.path}: back up both`);
  }
  // Data without its usage cannot be restored, so the older one counts.
  const { path: oldest, stats } = other ?? newest;
  const hours = Math.max(0, Math.floor((Date.now() - stats.mtimeMs) / HOUR_MS));
  const message = `${oldest} is ${hours} h old`;
  return hours < MAX_AGE_HOURS
    ? good('backup', message)
    : warning('backup', `${message}: create a new one, and check what creates them`);
}

const USAGE_ENDING = '-usage.sqlite';
const ENDING = '.sqlite';

/** Returns the path of the other file of a backup of SQLite, which is data and usage. */
const otherHalf = (path: string): string =>
  path.endsWith(USAGE_ENDING)
    ? path.slice(0, -USAGE_ENDING.length) + ENDING
    : path.slice(0, -ENDING.length) + USAGE_ENDING;

/** Lists a file itself, or the files in a folder. */
function listFiles(path: string): BackupFile[] {
  const isFolder = statSync(path).isDirectory();
  const paths = isFolder ? readdirSync(path).map((name) => join(path, name)) : [path];
  return paths.map((each) => ({ path: each, stats: statSync(each) })).filter(({ stats }) => stats.isFile());
}
