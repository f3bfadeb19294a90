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
  const { file, missing } = olderOfPair(newest, files);
  if (missing !== null) return warning('backup', `${missing} is missing beside ${newest.path}: back up both`);
  const hours = Math.max(0, Math.floor((Date.now() - file.stats.mtimeMs) / HOUR_MS));
  const message = `${file.path} is ${hours} h old`;
  return hours < MAX_AGE_HOURS
    ? good('backup', message)
    : warning('backup', `${message}: create a new one, and check what creates them`);
}

/** A backup of SQLite is two files, the data and the usage: the older one counts. @returns the name that is missing, or null */
function olderOfPair(
  newest: BackupFile,
  files: readonly BackupFile[],
): { readonly file: BackupFile; readonly missing: string | null } {
  if (!newest.path.endsWith('.sqlite') || files.length === 1) return { file: newest, missing: null };
  const other = newest.path.endsWith('-usage.sqlite')
    ? newest.path.replace(/-usage\.sqlite$/, '.sqlite')
    : newest.path.replace(/\.sqlite$/, '-usage.sqlite');
  const file = files.find(({ path }) => path === other);
  return file === undefined ? { file: newest, missing: other } : { file, missing: null };
}

/** Lists a file itself, or the files in a folder. */
function listFiles(path: string): BackupFile[] {
  const isFolder = statSync(path).isDirectory();
  const paths = isFolder ? readdirSync(path).map((name) => join(path, name)) : [path];
  return paths.map((each) => ({ path: each, stats: statSync(each) })).filter(({ stats }) => stats.isFile());
}
