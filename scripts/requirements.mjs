// @ts-check
// Tools that the whole suite needs beside Node.js and the stores. Prints the Debian packages that are missing.
import { spawnSync } from 'node:child_process';
import { accessSync, constants, mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const BROWSERS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Path of this machine's browser; null if there is none. */
export const findBrowser = () => BROWSERS.find(canRun) ?? null;

/** The second is Debian's, where the first is another installation, without the packages. */
const PYTHONS = ['python3', '/usr/bin/python3'];

/** Python that can build a package without downloading; null if there is none. */
export const findPython = () =>
  PYTHONS.find(
    (python) => spawnSync(python, ['-c', 'import setuptools, wheel, pip'], { stdio: 'ignore' }).status === 0,
  ) ?? null;

/**
 * A tool, the tests that need it, and the Debian package that has it.
 * @typedef {{ tool: string, tests: string, packageName: string | null, isThere: () => boolean }} Requirement
 * @type {readonly Requirement[]}
 */
const REQUIREMENTS = [
  { tool: 'chromium', tests: 'the pages in a browser', packageName: 'chromium', isThere: () => findBrowser() !== null },
  // This package contains the server only, and starts no system service.
  command('mariadbd', 'a MariaDB started for a run', 'mariadb-server-core'),
  command('mariadb', 'a MariaDB started for a run', 'mariadb-client-core'),
  command('promtool', 'the alert rules', 'prometheus'),
  command('jq', 'the commands of docs/sources.md', 'jq'),
  command('sqlite3', 'the installation with nginx', 'sqlite3'),
  command('openssl', 'the installation with nginx', 'openssl'),
  command('nginx', 'the installation with nginx', 'nginx-light'),
  command('redis-server', 'a Redis that its Sentinels move', 'redis-server'),
  command('haproxy', 'replicas behind the proxy of Docker Compose', 'haproxy'),
  command('systemd-analyze', 'the systemd unit', 'systemd'),
  command('script', 'questions on a terminal', 'bsdutils'),
  command('unshare', 'a start as the first process of a container', 'util-linux'),
  command('git', 'the release', 'git'),
  // Brings setuptools and wheel.
  { tool: 'python3', tests: 'the client for Python', packageName: 'python3-pip', isThere: () => findPython() !== null },
  { tool: 'the right to mount', tests: 'a full disk', packageName: null, isThere: canMount },
];

/** Requirements that this machine does not meet. */
export const missingRequirements = () => REQUIREMENTS.filter(({ isThere }) => !isThere());

/** Describes the tests that are skipped, one line per requirement. @param {readonly Requirement[]} missing */
export const linesAbout = (missing) =>
  missing.map(({ tool, tests, packageName }) => {
    const advice = packageName === null ? `needs ${tool}` : `install ${packageName}`;
    return `Left out: ${tests} (${advice})`;
  });

/** @param {string} tool @param {string} tests @param {string} packageName @returns {Requirement} */
function command(tool, tests, packageName) {
  return { tool, tests, packageName, isThere: () => exists(tool) };
}

/** @param {string} tool */
const exists = (tool) => spawnSync(tool, ['--version'], { stdio: 'ignore' }).error === undefined;

/** @param {string} path */
function canRun(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function canMount() {
  const folder = mkdtempSync(join(tmpdir(), 'creator-data-mount-'));
  const isMounted = spawnSync('mount', ['-t', 'tmpfs', 'tmpfs', folder], { stdio: 'ignore' }).status === 0;
  if (isMounted) spawnSync('umount', [folder]);
  rmdirSync(folder);
  return isMounted;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const packages = missingRequirements().flatMap(({ packageName }) => packageName ?? []);
  console.log(packages.join(' '));
}
