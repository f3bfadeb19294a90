// @ts-check
// The second of the two commands: installs what is missing and runs every test.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildWhatIsStale, installWhatIsMissing, run } from './prepare.mjs';

/** Programs without which tests are left out, what these are, and the package. */
const COMMANDS = [
  ['promtool', 'checks of the alert rules', 'prometheus'],
  ['jq', 'the commands of the page about native data', 'jq'],
  ['sqlite3', 'the installation with nginx', 'sqlite3'],
  ['nginx', 'the installation with nginx', 'nginx-light'],
  ['redis-server', 'a Redis that its Sentinels move', 'redis-server'],
  ['haproxy', 'replicas behind the proxy of Docker Compose', 'haproxy'],
  ['unshare', 'a start as the first process of a container', 'util-linux'],
  ['systemd-analyze', 'the check of the unit', 'systemd'],
];

await installWhatIsMissing('to develop');
await buildWhatIsStale();

const folder = mkdtempSync(join(tmpdir(), 'creator-data-report-'));
const report = join(folder, 'jest.json');
const status = run('npx', ['jest', '--json', `--outputFile=${report}`, ...process.argv.slice(2)]);
if (existsSync(report)) {
  const { numPassedTests, numFailedTests, numPendingTests } = JSON.parse(readFileSync(report, 'utf8'));
  for (const line of await leftOut()) console.log(line);
  const skipped = numPendingTests > 0 ? `, ${numPendingTests} skipped` : '';
  console.log(`Tests: ${numPassedTests} passed, ${numFailedTests} failed${skipped}`);
}
rmSync(folder, { recursive: true, force: true });
process.exit(status);

/** What could not be tested with, for want of a store or a browser. */
async function leftOut() {
  const lines = [];
  if (!process.env.TEST_MYSQL_URL && !(await answers(3306))) {
    lines.push('Left out: MySQL (set TEST_MYSQL_URL, or have one on 127.0.0.1:3306 with root and no password)');
  }
  if (!process.env.TEST_REDIS_URL && !(await answers(6379))) {
    lines.push('Left out: Redis (set TEST_REDIS_URL, or have one on 127.0.0.1:6379)');
  }
  if (!existsSync('/usr/bin/chromium')) lines.push('Left out: the documentation page in a browser (install chromium)');
  for (const [command, what, packageName] of COMMANDS) {
    if (spawnSync(command, ['--version']).error !== undefined) lines.push(`Left out: ${what} (install ${packageName})`);
  }
  return lines.length > 0 ? lines : ['Nothing was left out: embedded database, MySQL, Redis, browser, tools.'];
}

/**
 * @param {number} port
 * @returns {Promise<boolean>}
 */
function answers(port) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(socket.destroy() !== null));
    socket.once('error', () => resolve(false));
  });
}
