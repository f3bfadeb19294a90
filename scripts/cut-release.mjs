// @ts-check
// Creates a release: checks, version, changelog, archive with checksums and bill of materials, commit, tag. Does not push.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { hasUpgradeNote, unreleasedEntries, withRelease } from './changelog.mjs';
import { ROOT, run } from './prepare.mjs';
import { findPython } from './requirements.mjs';

const USAGE = 'Usage: npm run release -- patch|minor|major|NUMBER [--skip-tests]';
const LEVELS = ['major', 'minor', 'patch'];
const CHANGELOG = join(ROOT, 'CHANGELOG.md');
/** Files beside package.json that have the version, and the text before it. */
const VERSIONS = /** @type {const} */ ([
  ['deploy/kubernetes/kustomization.yaml', /^\s+newTag: /m],
  ['clients/typescript/package.json', /^ {2}"version": "/m],
  ['clients/python/pyproject.toml', /^version = "/m],
]);

const args = process.argv.slice(2);
const [step = '', ...rest] = args.filter((argument) => argument !== '--skip-tests');
const today = new Date().toISOString().slice(0, 10);
try {
  const version = nextVersion();
  checkRepository(version);
  if (!args.includes('--skip-tests')) checkTests();
  const folder = join(ROOT, 'releases', version);
  const head = git('rev-parse', 'HEAD');
  try {
    writeVersion(version);
    const changelog = readFileSync(CHANGELOG, 'utf8');
    const message = unreleasedEntries(changelog);
    // Before the archive, which contains it.
    writeFileSync(CHANGELOG, withRelease(changelog, version, today));
    writeArchive(version, folder);
    git('commit', '--all', '--quiet', '--message', `Release ${version}`);
    git('tag', '--annotate', '--message', `${version}\n\n${message}`, '--cleanup=verbatim', `v${version}`);
  } catch (error) {
    // Loses nothing, because the tree was clean.
    git('reset', '--quiet', '--hard', head);
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
  console.log(`Released ${version}: ${folder}\nPublish it with: git push --follow-tags`);
} catch (error) {
  console.error(`Not released: ${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
}

/** @returns {string} the version from the arguments */
function nextVersion() {
  /** @type {{ version: string }} */
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const level = LEVELS.indexOf(step);
  if (rest.length > 0 || (level < 0 && !/^\d+\.\d+\.\d+$/.test(step))) throw new Error(USAGE);
  const [current, asked] = [version, step].map((text) => text.split('.').map(Number));
  const next =
    level < 0 ? asked : current?.map((part, index) => (index < level ? part : index === level ? part + 1 : 0));
  const difference = next?.map((part, index) => part - (current?.[index] ?? 0)).find((part) => part !== 0) ?? 0;
  if (difference <= 0) throw new Error(`${step} is not newer than ${version}.`);
  return next?.join('.') ?? '';
}

/** @param {string} version */
function checkRepository(version) {
  if (git('status', '--porcelain') !== '') throw new Error('the working tree has changes: commit or remove them.');
  const branch = git('branch', '--show-current');
  if (branch !== 'main') throw new Error(`the branch is "${branch}": releases are created from main.`);
  if (git('tag', '--list', `v${version}`) !== '') throw new Error(`the tag v${version} already exists.`);
  if (!existsSync(join(ROOT, 'node_modules/typescript'))) {
    throw new Error('development packages are missing: run npm ci.');
  }
  const entries = unreleasedEntries(readFileSync(CHANGELOG, 'utf8'));
  if (entries === '') throw new Error('CHANGELOG.md has no entry under "Unreleased".');
  if (!hasUpgradeNote(entries))
    throw new Error(
      'CHANGELOG.md has no paragraph under "Unreleased" that begins with "To upgrade" and names what to run.',
    );
}

function checkTests() {
  process.env.REQUIRE_ALL = '1';
  if (run('npm', ['run', '--silent', 'lint']) !== 0) throw new Error('the linter reports errors.');
  if (run('npm', ['test']) !== 0) throw new Error('tests fail. Use --skip-tests to release without them.');
}

/** Writes the version to every file that has it. @param {string} version */
function writeVersion(version) {
  must('npm', ['version', version, '--no-git-tag-version', '--ignore-scripts']);
  for (const [file, before] of VERSIONS) {
    const text = readFileSync(join(ROOT, file), 'utf8');
    const pattern = new RegExp(`(${before.source})\\d+\\.\\d+\\.\\d+`, 'm');
    writeFileSync(join(ROOT, file), text.replace(pattern, `$1${version}`));
  }
}

/** Writes the archive, its bill of materials, the clients and all checksums. @param {string} version @param {string} folder */
function writeArchive(version, folder) {
  must('npm', ['run', '--silent', 'build']);
  must(process.execPath, ['scripts/release.mjs']);
  const name = `creator-data-${version}`;
  const order = ['--sort=name', '--owner=0', '--group=0', '--numeric-owner', '--mode=u=rwX,go=rX', `--mtime=${today}`];
  const content = ['--directory=dist/release', `--transform=s,^[.],${name},`, '.'];
  /** @type {readonly [string, Buffer][]} */
  const files = [
    [`${name}.tar.gz`, gzipSync(output('tar', ['--create', ...order, ...content]))],
    [`${name}.cdx.json`, output('npm', ['run', '--silent', 'sbom'])],
  ];
  mkdirSync(folder, { recursive: true });
  for (const [file, bytes] of files) writeFileSync(join(folder, file), bytes);
  writeClients(folder);
  const lines = readdirSync(folder).map((file) => {
    const digest = createHash('sha256').update(readFileSync(join(folder, file)));
    return `${digest.digest('hex')}  ${file}\n`;
  });
  writeFileSync(join(folder, 'SHA256SUMS'), lines.join(''));
}

/** Packs the clients as their registries take them. @param {string} folder */
function writeClients(folder) {
  const python = findPython();
  if (python === null) throw new Error('the client for Python needs a Python with setuptools and wheel.');
  must('npm', ['pack', './clients/typescript', '--silent', '--pack-destination', folder]);
  // An earlier build may contain modules that no longer exist.
  rmSync(join(ROOT, 'clients/python/build'), { recursive: true, force: true });
  const options = ['--quiet', '--no-deps', '--no-index', '--no-build-isolation', '--wheel-dir', folder];
  must(python, ['-m', 'pip', '--disable-pip-version-check', 'wheel', ...options, './clients/python']);
}

/** @param {string} program @param {string[]} list its arguments */
function must(program, list) {
  if (run(program, list, 'errors') !== 0) throw new Error(`"${program} ${list.join(' ')}" failed.`);
}

/** @param {string} program @param {string[]} list its arguments */
function output(program, list) {
  return execFileSync(program, list, { cwd: ROOT, maxBuffer: 1024 ** 3, stdio: ['ignore', 'pipe', 'inherit'] });
}

/** @param {string[]} list */
function git(...list) {
  return output('git', list).toString().trim();
}
