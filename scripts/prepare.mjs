// @ts-check
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The project's folder: the scripts work from wherever they are called. */
export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));

/**
 * Runs a program in the project's folder and shows what it prints.
 * @param {string} program
 * @param {string[]} args
 * @returns {number} its exit status
 */
export function run(program, args) {
  return spawnSync(program, args, { cwd: ROOT, stdio: 'inherit' }).status ?? 1;
}

/** Installs the packages, unless what is installed is what the lock file says. */
export function installWhatIsMissing() {
  const installed = join(ROOT, 'node_modules/.package-lock.json');
  if (existsSync(installed) && modifiedAt(installed) >= modifiedAt(join(ROOT, 'package-lock.json'))) return;
  console.error('Installing packages (once)...');
  orExit(run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error']));
}

/** Builds, unless the build is newer than every source. */
export function buildWhatIsStale() {
  const built = join(ROOT, 'dist/bundle/main.mjs');
  const settings = ['tsconfig.json', 'tsconfig.build.json', 'nest-cli.json', 'package-lock.json', 'scripts/bundle.mjs'];
  const sources = ['src', 'migrations', ...settings];
  if (existsSync(built) && sources.every((source) => newestIn(join(ROOT, source)) <= modifiedAt(built))) return;
  console.error('Building...');
  orExit(run('npm', ['run', '--silent', 'build']));
}

/** @param {number} status */
function orExit(status) {
  if (status !== 0) process.exit(status);
}

/** @param {string} path */
const modifiedAt = (path) => statSync(path).mtimeMs;

/**
 * @param {string} path a file or a folder
 * @returns {number}
 */
function newestIn(path) {
  if (!statSync(path).isDirectory()) return modifiedAt(path);
  return Math.max(...readdirSync(path).map((name) => newestIn(join(path, name))), modifiedAt(path));
}
