// @ts-check
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Signals that ask a process to stop, from a supervisor, Ctrl-C or a closing terminal. */
const STOP_SIGNALS = /** @type {const} */ (['SIGTERM', 'SIGINT', 'SIGHUP']);

/** The project's folder. The scripts work from any current folder. */
export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));

/**
 * Packages that are not bundled, and the files of them that are needed to run.
 * @type {Record<string, RegExp>}
 */
export const NOT_BUNDLED = {
  // A native addon, which `node-gyp-build` finds.
  '@photostructure/sqlite': /^(package\.json|LICENSE|dist\/index\.[cm]js|prebuilds\/linux-.*)$/,
  'node-gyp-build': /./,
  'swagger-ui-dist':
    /^(package\.json|LICENSE|index\.js|absolute-path\.js|[\w-]+\.(css|png)|swagger-ui-(bundle|standalone-preset)\.js)$/,
};

/**
 * Runs a program in the project's folder and shows its output.
 * @param {string} program
 * @param {string[]} args
 * @returns {number} its exit status
 */
export function run(program, args) {
  return spawnSync(program, args, { cwd: ROOT, stdio: 'inherit' }).status ?? 1;
}

/**
 * Runs npm in the project's folder. A signal to stop ends npm with all processes that it started, and then this process.
 * @param {string[]} args
 * @param {'all' | 'errors'} shown
 * @returns {Promise<number>} its exit status
 */
async function runNpm(args, shown) {
  const output = shown === 'all' ? 'inherit' : 'ignore';
  // In its own process group, because npm signals only its shell, which ends without its children.
  const npm = spawn('npm', args, { cwd: ROOT, stdio: ['inherit', output, 'inherit'], detached: true });
  /** @type {NodeJS.Signals | null} */
  let stoppedBy = null;
  /** @param {NodeJS.Signals} signal */
  const stop = (signal) => {
    stoppedBy = signal;
    if (npm.pid !== undefined) process.kill(-npm.pid, signal);
  };
  for (const signal of STOP_SIGNALS) process.on(signal, stop);
  const [status] = await once(npm, 'exit');
  for (const signal of STOP_SIGNALS) process.off(signal, stop);
  if (stoppedBy !== null) {
    process.kill(process.pid, stoppedBy);
    // PID 1 of a container ignores the signal.
    process.exit(1);
  }
  return status ?? 1;
}

/**
 * Installs the packages, unless they already match the lock file.
 * @param {'to run' | 'to develop'} purpose tests and linters are not needed to run
 */
export async function installWhatIsMissing(purpose) {
  const lock = join(ROOT, 'package-lock.json');
  const installed = join(ROOT, 'node_modules/.package-lock.json');
  const isThere = purpose === 'to run' || existsSync(join(ROOT, 'node_modules/jest'));
  if (isThere && existsSync(installed) && modifiedAt(installed) >= modifiedAt(lock)) return;
  /** @type {{ packages: Record<string, { dev?: boolean, optional?: boolean }> }} */
  const { packages } = JSON.parse(readFileSync(lock, 'utf8'));
  // Optional packages are binaries, most of them for other systems.
  const wanted = Object.values(packages).filter(({ dev, optional }) => !optional && (purpose === 'to develop' || !dev));
  // No package needs its install script.
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  await timed(`Installing ${wanted.length} packages, once`, () =>
    runNpm(purpose === 'to run' ? [...args, '--omit=dev'] : args, 'errors'),
  );
}

/** Builds, unless the build is newer than every source. */
export async function buildWhatIsStale() {
  const built = join(ROOT, 'dist/bundle/main.mjs');
  const settings = [
    'tsconfig.json',
    'tsconfig.build.json',
    'nest-cli.json',
    'package-lock.json',
    'scripts/bundle.mjs',
    'scripts/bundling.mjs',
  ];
  const sources = ['src', 'migrations', ...settings];
  if (existsSync(built) && sources.every((source) => newestIn(join(ROOT, source)) <= modifiedAt(built))) return;
  await timed('Building', () => runNpm(['run', '--silent', 'build'], 'all'));
}

/**
 * Runs a step, and prints its name and time. Ends the process if the step fails.
 * @param {string} what
 * @param {() => Promise<number>} step resolves with an exit status
 */
async function timed(what, step) {
  const startedAt = Date.now();
  console.error(`${what}...`);
  const status = await step();
  if (status !== 0) process.exit(status);
  console.error(`  done in ${Math.round((Date.now() - startedAt) / 1000)} s`);
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
