import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

/** A manifest whose members tests change. */
export interface EditedManifest {
  version: number;
  files: { name: string; kind: string; platform: string | null; bytes: number; sha256: string; records: number }[];
  cursors: Record<string, Record<string, string>>;
}

/** Reads the manifest of an export or archive. */
export const readManifestOf = (folder: string): EditedManifest =>
  JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as EditedManifest;

/** Changes a manifest and recomputes its checksum. */
export function resealManifest(folder: string, change: (manifest: EditedManifest) => void): void {
  const { sha256: _old, ...members } = readManifestOf(folder) as EditedManifest & { sha256: string };
  change(members);
  const sha256 = createHash('sha256').update(JSON.stringify(members)).digest('hex');
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify({ ...members, sha256 }));
}

/** Returns the text of the files of an export, by name. */
export function textsOf(folder: string): Record<string, string> {
  const names = readdirSync(folder).filter((name) => name.endsWith('.gz'));
  return Object.fromEntries(names.map((name) => [name, gunzipSync(readFileSync(join(folder, name))).toString('utf8')]));
}
