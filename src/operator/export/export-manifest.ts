import { join } from 'node:path';
import * as z from 'zod';
import { PLATFORMS, type Platform } from '../../model/platforms.js';
import type { ImportKind } from '../import/parse-line.js';
import { MANIFEST_NAME, type ManifestFormat } from '../manifest-file.js';
import { OperatorError } from '../operator-error.js';
import { EXPORT_SOURCES } from './export-sources.js';

const count = z.int().min(0);

/** A file that this version may not know: its kind can be of a later one. */
const fileSchema = z.strictObject({
  name: z.string(),
  kind: z.string(),
  platform: z.nullable(z.enum(PLATFORMS)),
  bytes: count,
  sha256: z.string(),
  records: count,
});

const manifestSchema = z.strictObject({
  /** Time of the state that the files have. */
  created_at: z.string(),
  files: z.array(fileSchema),
  /** Cursors from which the feeds of changes go on, by platform (`games` for games) and kind. */
  cursors: z.record(z.string(), z.record(z.string(), z.string())),
});

/** Contents of an export. */
export type ExportManifest = z.output<typeof manifestSchema>;

export type ExportCursors = ExportManifest['cursors'];

/** A file of an export, whose kind is known. */
export type ExportedFile = ExportManifest['files'][number] & { readonly kind: ImportKind };

export const EXPORT_FORMAT: ManifestFormat<ExportManifest> = {
  format: 'creator-data export',
  version: 1,
  schema: manifestSchema,
  nounWithArticle: 'an export',
  noun: 'export',
  createdBy: 'export --out',
};

/** Returns the name of the file of a kind and platform. */
export const formatExportName = (kind: string, platform: Platform | null): string =>
  `${platform === null ? kind : `${kind}-${platform}`}.ndjson.gz`;

/** Returns the files of an export in the order in which they can be loaded. @throws OperatorError if one is unknown */
export function listFilesToLoad(folder: string, { files }: ExportManifest): ExportedFile[] {
  const names = files.map(({ name }) => name);
  const repeated = names.find((name, index) => names.indexOf(name) < index);
  if (repeated !== undefined) {
    throw new OperatorError('invalid_file', `${join(folder, MANIFEST_NAME)} lists ${repeated} twice: use another copy`);
  }
  const orderOf = (kind: string) => EXPORT_SOURCES.findIndex((source) => source.kind === kind);
  return files
    .map((file) => {
      const source = EXPORT_SOURCES[orderOf(file.kind)];
      if (source !== undefined && file.name === formatExportName(source.kind, file.platform)) {
        return { ...file, kind: source.kind };
      }
      const path = join(folder, MANIFEST_NAME);
      throw new OperatorError(
        'invalid_file',
        `${path} lists ${file.name} of kind ${file.kind}, which this version cannot read: use the version that wrote it`,
      );
    })
    .sort((a, b) => orderOf(a.kind) - orderOf(b.kind));
}
