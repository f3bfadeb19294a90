import { accessSync, constants, existsSync, statfsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Config } from '../../model/config.js';
import { bad, good, warning, type Check } from './check.js';

const MIB = 1024 ** 2;

/** An import needs space for its log, and an outage for the file of its records. */
const BAD_BELOW_MIB = 100;
const WARNING_BELOW_MIB = 1024;

/** The oldest Node.js that package.json allows. */
const OLDEST_NODE = [20, 19] as const;

export function checkNode(): Check {
  const version = process.versions.node;
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [oldest, oldestMinor] = OLDEST_NODE;
  if (major > oldest || (major === oldest && minor >= oldestMinor)) return good('node', version);
  return bad('node', `${version} is too old: install Node.js ${oldest}.${oldestMinor} or newer`);
}

/** Checks the data folder, which holds the usage records of outages. */
export function checkDisk({ dataFolder }: Config): Check {
  // The service creates the folder at its first start.
  const folder = nearestExistingFolder(dataFolder);
  try {
    accessSync(folder, constants.W_OK);
  } catch {
    return bad('disk', `${folder} cannot be written by this user: change its permissions, or set DATA_DIR`);
  }
  const { bavail, bsize } = statfsSync(folder);
  const freeMib = Math.floor((bavail * bsize) / MIB);
  const free = `${freeMib.toLocaleString('en')} MiB free in ${folder}`;
  if (freeMib < BAD_BELOW_MIB)
    return bad('disk', `only ${free}: free some space, or usage records can no longer be written`);
  return freeMib < WARNING_BELOW_MIB ? warning('disk', `only ${free}: free some space`) : good('disk', free);
}

function nearestExistingFolder(path: string): string {
  const folder = resolve(path);
  return existsSync(folder) ? folder : nearestExistingFolder(dirname(folder));
}
