import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import { MAX_EXPORTED_LINE_BYTES, readExport } from './export/read-export.js';
import type { ImportInput } from './import/input.js';
import { IMPORT_KINDS, MAX_LINE_BYTES } from './import/parse-line.js';
import { MANIFEST_NAME } from './manifest-file.js';
import { OperatorError } from './operator-error.js';

/** Files to load, in this order. */
export interface ImportInputs {
  readonly inputs: readonly ImportInput[];
  /** What the audit log says about them. */
  readonly target: Readonly<Record<string, string | number | readonly string[]>>;
  readonly maxLineBytes: number;
}

/**
 * Finds the files that `import KIND FILE...` or `import FOLDER` names. Those of a folder are verified first.
 * @param first a kind, or the folder of an export if no files follow
 */
export async function findImportInputs(
  first: string,
  files: readonly string[],
  command: Command,
): Promise<ImportInputs> {
  const kind = IMPORT_KINDS.find((each) => each === first);
  if (files.length > 0) {
    if (kind === undefined) {
      command.error(
        `error: command-argument value '${first}' is invalid for argument 'kind'. It must be one of ${IMPORT_KINDS.join(', ')}.`,
      );
    }
    const inputs = files.map((file) => ({ kind, file, sha256: null }));
    return { inputs, target: { kind, files: files.length }, maxLineBytes: MAX_LINE_BYTES };
  }
  if (kind !== undefined) command.error("error: missing required argument 'file'");
  await requireExport(first);
  const exported = await readExport(first);
  return {
    inputs: exported.map((file) => ({ kind: file.kind, file: file.path, sha256: file.sha256 })),
    target: { kinds: [...new Set(exported.map((file) => file.kind))], files: exported.length },
    maxLineBytes: MAX_EXPORTED_LINE_BYTES,
  };
}

async function requireExport(path: string): Promise<void> {
  const stats = await stat(path).catch(() => null);
  if (stats?.isDirectory()) {
    if (existsSync(join(path, MANIFEST_NAME))) return;
    throw new OperatorError(
      'invalid_arguments',
      `${path} is not the folder of an export, which has a ${MANIFEST_NAME}: to load other files, name their kind and each file, such as ` +
        `"import profiles ${join(path, 'profiles.ndjson')}"`,
    );
  }
  throw new OperatorError(
    'invalid_arguments',
    stats === null
      ? `${path} is neither a kind (${IMPORT_KINDS.join(', ')}) nor a folder: check the spelling`
      : `${path} is a file: name its kind before it, one of ${IMPORT_KINDS.join(', ')}`,
  );
}
