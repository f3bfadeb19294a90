import { execFileSync } from 'node:child_process';
import { closeSync, existsSync, openSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../files/project-root.js';
import { until } from '../until.js';

const MAIN = join(ROOT, 'dist/bundle/main.mjs');
const SETTINGS = ['tsconfig.json', 'tsconfig.build.json', 'nest-cli.json', 'package-lock.json', 'scripts/bundle.mjs'];
const SOURCES = ['src', 'migrations', ...SETTINGS];

/** Lock file of the test worker that builds. */
const LOCK = join(ROOT, 'node_modules/.creator-data-test-build');
const LOCK_EXPIRES_MS = 280_000;

let build: Promise<void> | undefined;

/** Resolves once `dist` is up to date. Builds at most once per process. */
export function buildOnce(): Promise<void> {
  return (build ??= buildWhatIsStale());
}

async function buildWhatIsStale(): Promise<void> {
  await until('another test worker has built', acquireLock, LOCK_EXPIRES_MS);
  try {
    if (isStale()) execFileSync('npm', ['run', 'build'], { cwd: ROOT, stdio: 'pipe' });
  } finally {
    rmSync(LOCK, { force: true });
  }
}

function acquireLock(): boolean {
  try {
    closeSync(openSync(LOCK, 'wx'));
    return true;
  } catch {
    // A killed worker leaves its lock behind.
    if (existsSync(LOCK) && Date.now() - modifiedAt(LOCK) > LOCK_EXPIRES_MS) rmSync(LOCK, { force: true });
    return false;
  }
}

function isStale(): boolean {
  if (!existsSync(MAIN)) return true;
  const builtAt = modifiedAt(MAIN);
  return SOURCES.some((source) => newestIn(join(ROOT, source)) > builtAt);
}

const modifiedAt = (path: string): number => statSync(path).mtimeMs;

function newestIn(path: string): number {
  if (!statSync(path).isDirectory()) return path.endsWith('.spec.ts') ? 0 : modifiedAt(path);
  return Math.max(...readdirSync(path).map((name) => newestIn(join(path, name))));
}
