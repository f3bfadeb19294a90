import { spawnSync } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';

/** Copies a folder, with hard links to its files when both are on one disk. */
export function linkedCopy(from: string, to: string): void {
  if (spawnSync('cp', ['-al', from, to]).status === 0) return;
  rmSync(to, { recursive: true, force: true });
  cpSync(from, to, { recursive: true });
}
