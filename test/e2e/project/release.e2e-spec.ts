import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findPython } from '../../../scripts/requirements.mjs';
import { ROOT } from '../../support/files/project-root.js';
import { linkedCopy } from '../../support/files/linked-copy.js';

const SOURCES = [
  'src',
  'migrations',
  'scripts',
  'sample-data',
  'prompts',
  'deploy',
  'docs',
  'package.json',
  'package-lock.json',
];
const SETTINGS = ['tsconfig.json', 'tsconfig.build.json', 'nest-cli.json', 'LICENSE', '.gitignore'];
const PAGES = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md'];
const UPGRADE = 'To upgrade: nothing needs to be run.';
const CHANGELOG = `# Changelog\n\n## Unreleased\n\n${UPGRADE}\n\n- A first line\n  that goes on.\n- # A second one.\n\n## 1.1.0 - 2026-11-24\n\nOld.\n`;

/** A repository with the files that a build needs. */
const FOLDER = mkdtempSync(join(tmpdir(), 'creator-data-repository-'));
afterAll(() => rmSync(FOLDER, { recursive: true, force: true }));

const PERSON = { GIT_CONFIG_GLOBAL: '/dev/null', GIT_AUTHOR_NAME: 'x', GIT_AUTHOR_EMAIL: 'x@example.com' };
const env = { ...process.env, ...PERSON, GIT_COMMITTER_NAME: 'x', GIT_COMMITTER_EMAIL: 'x@example.com' };
const git = (...args: readonly string[]) =>
  execFileSync('git', args, { cwd: FOLDER, env, encoding: 'utf8', stdio: 'pipe' }).trim();
const read = (file: string) => readFileSync(join(FOLDER, file), 'utf8');
const write = (file: string, text: string) => writeFileSync(join(FOLDER, file), text);
const release = (...args: readonly string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/cut-release.mjs', ...args], {
    cwd: FOLDER,
    env,
    encoding: 'utf8',
  });
  return { status, out: stdout, err: stderr };
};

/** Commits a package.json with other scripts. */
function commitScripts(scripts: Readonly<Record<string, string>>): void {
  const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: object };
  const changed = { ...manifest, version: '1.1.0', scripts: { ...manifest.scripts, lint: 'true', ...scripts } };
  write('package.json', `${JSON.stringify(changed, null, 2)}\n`);
  git('commit', '--all', '--quiet', '--allow-empty', '--message', 'Change the scripts');
}

beforeAll(() => {
  for (const path of [...SOURCES, ...SETTINGS, ...PAGES])
    cpSync(join(ROOT, path), join(FOLDER, path), { recursive: true });
  cpSync(join(ROOT, 'clients'), join(FOLDER, 'clients'), { recursive: true });
  linkedCopy(join(ROOT, 'node_modules'), join(FOLDER, 'node_modules'));
  write('CHANGELOG.md', CHANGELOG);
  git('init', '--quiet', '--initial-branch=main');
  git('add', '.');
  git('commit', '--quiet', '--message', 'Begin');
  commitScripts({});
});

describe('a release is rejected', () => {
  const refusal = (...args: readonly string[]) => {
    const head = git('rev-parse', 'HEAD');
    const { status, err } = release(...args);
    expect(status).toBe(1);
    expect([git('rev-parse', 'HEAD'), git('tag'), existsSync(join(FOLDER, 'releases'))]).toEqual([head, '', false]);
    return err;
  };

  it.each([
    [[], 'Usage: npm run release -- '],
    [['bigger'], 'Usage: npm run release -- '],
    [['minor', '--skip-test'], 'Usage: npm run release -- '],
    [['1.1.0'], '1.1.0 is not newer than 1.1.0.'],
    [['1.0.9'], '1.0.9 is not newer than 1.1.0.'],
  ])('with the arguments %j', (args, message) => {
    expect(refusal(...args)).toContain(message);
  });

  it('from a tree with changes', () => {
    write('new.txt', 'x');
    expect(refusal('minor', '--skip-tests')).toContain('the working tree has changes');
    rmSync(join(FOLDER, 'new.txt'));
  });

  it('from another branch', () => {
    git('switch', '--quiet', '--create', 'other');
    expect(refusal('minor', '--skip-tests')).toContain('the branch is "other"');
    git('switch', '--quiet', 'main');
  });

  it('without an entry in the changelog', () => {
    write('CHANGELOG.md', CHANGELOG.replace(/To upgrade[^]*one\.\n\n/, ''));
    git('commit', '--all', '--quiet', '--message', 'Empty the changelog');
    expect(refusal('minor', '--skip-tests')).toContain('no entry under "Unreleased"');
    git('reset', '--quiet', '--hard', 'HEAD~');
  });

  it('without a paragraph in the changelog that says what an upgrade must run', () => {
    write('CHANGELOG.md', CHANGELOG.replace(UPGRADE, 'To upgrade: run it.'));
    git('commit', '--all', '--quiet', '--message', 'Say nothing about the upgrade');
    expect(refusal('minor', '--skip-tests')).toContain('begins with "To upgrade"');
    git('reset', '--quiet', '--hard', 'HEAD~');
  });

  it('for a version that has a tag', () => {
    git('tag', 'v1.2.0');
    expect(release('minor', '--skip-tests')).toMatchObject({
      status: 1,
      err: expect.stringContaining('v1.2.0 already exists'),
    });
    git('tag', '--delete', 'v1.2.0');
  });

  it('when tests fail or are skipped, or the linter reports errors', () => {
    commitScripts({ test: '[ "$REQUIRE_ALL" != 1 ]' });
    expect(refusal('minor')).toContain('tests fail');
    commitScripts({ lint: 'false' });
    expect(refusal('minor')).toContain('the linter reports errors');
  });

  it('when the build fails, without leaving its files behind', () => {
    commitScripts({ build: 'false' });
    expect(refusal('minor', '--skip-tests')).toContain('"npm run --silent build" failed');
    expect([git('status', '--porcelain'), read('CHANGELOG.md')]).toEqual(['', CHANGELOG]);
  });
});

// The release contains the client for Python.
const describeRelease = findPython() === null ? describe.skip : describe;

describeRelease('a release', () => {
  let ended: ReturnType<typeof release>;
  let days: string[];
  const today = () => new Date().toISOString().slice(0, 10);

  beforeAll(() => {
    commitScripts({ test: '[ "$REQUIRE_ALL" = 1 ]' });
    days = [today()];
    ended = release('minor');
    days.push(today());
  });

  it('makes a commit and a tag with the entries, and leaves the tree clean', () => {
    expect(ended).toEqual({ status: 0, out: expect.stringContaining('git push --follow-tags'), err: '' });
    expect(git('status', '--porcelain')).toBe('');
    expect(git('log', '-1', '--format=%s')).toBe('Release 1.2.0');
    expect(git('rev-parse', 'v1.2.0^{commit}')).toBe(git('rev-parse', 'HEAD'));
    expect(git('for-each-ref', '--format=%(contents)', 'refs/tags/v1.2.0')).toBe(
      '1.2.0\n\nTo upgrade: nothing needs to be run.\n\n- A first line\n  that goes on.\n- # A second one.',
    );
  });

  it('updates the version in the package, its lock file, the clients, the Kubernetes image and the changelog', () => {
    for (const file of ['package.json', 'package-lock.json', 'clients/typescript/package.json'])
      expect(JSON.parse(read(file)).version).toBe('1.2.0');
    expect(read('clients/python/pyproject.toml')).toContain('\nversion = "1.2.0"\n');
    expect(read('deploy/kubernetes/kustomization.yaml')).toContain('newTag: 1.2.0\n');
    const [, day = ''] = /^## 1\.2\.0 - (\S+)$/m.exec(read('CHANGELOG.md')) ?? [];
    expect(days).toContain(day);
    expect(read('CHANGELOG.md')).toBe(CHANGELOG.replace('## Unreleased', `## Unreleased\n\n## 1.2.0 - ${day}`));
    expect(git('show', '--stat', '--format=', 'HEAD').split('\n')).toHaveLength(7);
  });

  it('has a working archive with its parts list, both clients, and checksums', () => {
    const folder = join(FOLDER, 'releases/1.2.0');
    const archive = ['creator-data-1.2.0.cdx.json', 'creator-data-1.2.0.tar.gz'];
    const clients = ['creator-data-client-1.2.0.tgz', 'creator_data_client-1.2.0-py3-none-any.whl'];
    expect(readdirSync(folder).toSorted()).toEqual(['SHA256SUMS', ...archive, ...clients]);
    expect(readFileSync(join(folder, 'SHA256SUMS'), 'utf8').match(/\S+$/gm)).toEqual([...archive, ...clients]);
    execFileSync('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: folder, stdio: 'pipe' });
    const { component } = JSON.parse(readFileSync(join(folder, 'creator-data-1.2.0.cdx.json'), 'utf8')).metadata;
    expect(component).toMatchObject({ name: 'creator-data', version: '1.2.0' });
    execFileSync('tar', ['--extract', '--file=creator-data-1.2.0.tar.gz'], { cwd: folder });
    for (const page of ['clients/typescript/README.md', 'clients/python/README.md'])
      expect(readFileSync(join(folder, 'creator-data-1.2.0', page), 'utf8')).toBe(read(page));
    const program = join(folder, 'creator-data-1.2.0/dist/bundle/cli.mjs');
    expect(execFileSync(process.execPath, [program, '--version'], { encoding: 'utf8' })).toBe('1.2.0\n');
    expect(readFileSync(join(folder, 'creator-data-1.2.0/CHANGELOG.md'), 'utf8')).toBe(read('CHANGELOG.md'));
  });
});
