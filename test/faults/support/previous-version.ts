import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../../support/files/project-root.js';

/** The program before its newest migration, from the history of the project. */
export class PreviousVersion {
  private constructor(readonly root: string) {}

  /** Builds the program, with its own packages if they differ. @throws Error without the history */
  static build(): PreviousVersion {
    const newest = readdirSync(join(ROOT, 'migrations'))
      .filter((name) => /^\d/.test(name))
      .toSorted()
      .at(-1);
    const added = ['log', '--diff-filter=A', '--format=%H', '-1', '--', `migrations/${newest}`];
    const commit = execFileSync('git', added, { cwd: ROOT, encoding: 'utf8' }).trim();
    if (commit === '') throw new Error('the commit of the newest migration is missing: fetch the whole history');
    const version = new PreviousVersion(mkdtempSync(join(tmpdir(), 'creator-data-previous-')));
    const archive = join(version.root, 'archive.tar');
    execFileSync('git', ['archive', '-o', archive, `${commit}^`], { cwd: ROOT });
    execFileSync('tar', ['-xf', archive], { cwd: version.root });
    version.addPackages();
    execFileSync('npm', ['run', 'build'], { cwd: version.root, stdio: 'pipe' });
    return version;
  }

  private addPackages(): void {
    const lock = (root: string) => readFileSync(join(root, 'package-lock.json'));
    if (lock(this.root).equals(lock(ROOT))) symlinkSync(join(ROOT, 'node_modules'), join(this.root, 'node_modules'));
    // Install scripts may run: earlier versions may need them for SQLite.
    else execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: this.root, stdio: 'pipe' });
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}
