import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { PRIVATE_FILE_MODE } from './new-folder.js';
import { OperatorError } from './operator-error.js';
import { readSmallFile } from './read-small-file.js';

export const MANIFEST_NAME = 'manifest.json';

/** Kind of folder that a manifest describes. */
export interface ManifestFormat<T extends object> {
  /** Name of the format in the file. */
  readonly format: string;
  /** Version of the format. Another one cannot be read. */
  readonly version: number;
  /** Members between the header and the checksum. */
  readonly schema: z.ZodType<T>;
  /** Words for messages: `a usage archive`, `archive`, and the command that creates it. */
  readonly nounWithArticle: string;
  readonly noun: string;
  readonly createdBy: string;
}

const headerSchema = z.looseObject({ format: z.string(), version: z.int() });

const checksumOf = (members: object): string => createHash('sha256').update(JSON.stringify(members)).digest('hex');

/** Writes the manifest of a folder. Its last member is the checksum of all members before it. */
export async function writeManifest<T extends object>(
  { format, version }: ManifestFormat<T>,
  folder: string,
  manifest: T,
): Promise<void> {
  const members = { format, version, ...manifest };
  const text = `${JSON.stringify({ ...members, sha256: checksumOf(members) }, null, 2)}\n`;
  await writeFile(join(folder, MANIFEST_NAME), text, { flush: true, mode: PRIVATE_FILE_MODE });
}

/** Reads and verifies the manifest of a folder. @throws OperatorError */
export async function readManifest<T extends object>(
  { format, version, schema, nounWithArticle: a, noun, createdBy }: ManifestFormat<T>,
  folder: string,
): Promise<T> {
  const path = join(folder, MANIFEST_NAME);
  const invalid = (problem: string) => new OperatorError('invalid_file', `${path} ${problem}`);
  const text = await readSmallFile(path);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw invalid(`is truncated or was changed: it is not JSON; use another copy of the ${noun}`);
  }
  const header = headerSchema.safeParse(value);
  if (!header.success || header.data.format !== format) {
    throw invalid(`is not of ${a}: name a folder that "${createdBy}" created`);
  }
  if (header.data.version !== version) {
    throw invalid(`has format ${header.data.version}, which this version cannot read: use the version that wrote it`);
  }
  const { sha256, ...sealed } = value as Readonly<Record<string, unknown>>;
  const { format: _format, version: _version, ...members } = sealed;
  const parsed = schema.safeParse(members);
  if (!parsed.success || sha256 !== checksumOf(sealed)) {
    throw invalid(`was changed: its checksum does not match; use another copy of the ${noun}`);
  }
  return parsed.data;
}
